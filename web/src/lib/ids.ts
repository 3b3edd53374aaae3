/** A random id of 12 bytes, for example for a command. */
export function newId(): string {
    return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(36)).join("");
}

/** Ids of games on this device begin with this. Ids that a server chooses contain no hyphen. */
const ON_DEVICE = "device-";

/** A random id for a game on this device. */
export function newDeviceId(): string {
    return ON_DEVICE + newId();
}

/** Whether a game is on this device. */
export function isOnDevice(id: string): boolean {
    return id.startsWith(ON_DEVICE);
}
