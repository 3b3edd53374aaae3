/** An id made from 12 random bytes, for example for a command. */
export function newId(): string {
    return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(36)).join("");
}

/** The prefix of the ids of games on this device. Ids from a server contain no hyphen. */
const ON_DEVICE = "device-";

/** A random id for a game on this device. */
export function newDeviceId(): string {
    return ON_DEVICE + newId();
}

/** Whether a game is on this device. */
export function isOnDevice(id: string): boolean {
    return id.startsWith(ON_DEVICE);
}
