/** A random id of 12 bytes, for example for a command. */
export function newId(): string {
    return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(36)).join("");
}
