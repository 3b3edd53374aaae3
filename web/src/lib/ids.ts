/** An id made from 12 random bytes, for example for a command. */
export function newId(): string {
    return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(36)).join("");
}

/** The prefix that marks the id of a game on this device. Ids from a server contain no hyphen. */
const ON_DEVICE = "device-";

/** A random id for a game on this device. */
export function newDeviceId(): string {
    return ON_DEVICE + newId();
}

/** The prefix for a game that is contained in a link. It needs no server, so it counts as a game on this device. */
const IN_LINK = `${ON_DEVICE}link.`;

/** The id of the game that is packed into a link. */
export function linkedId(packed: string): string {
    return IN_LINK + packed;
}

/** The packed record in the id of a game from a link; `null` for all other games. */
export function packedIn(id: string): string | null {
    return id.startsWith(IN_LINK) ? id.slice(IN_LINK.length) : null;
}

/** Whether a game is on this device. */
export function isOnDevice(id: string): boolean {
    return id.startsWith(ON_DEVICE);
}
