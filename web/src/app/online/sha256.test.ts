import { expect, test } from "vitest";

import { hex } from "../../lib/seats";
import { hmac, sha256 } from "./sha256";

/** The same bytes each time, of any length. */
const bytes = (length: number): Uint8Array<ArrayBuffer> =>
    Uint8Array.from({ length }, (_, index) => (index * 167 + length * 13) % 256);

test("what the standard says of abc", () => {
    expect(hex(sha256(new TextEncoder().encode("abc")))).toBe(
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
});

// Around the ends of blocks, and over several of them.
test.each([0, 1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 127, 128, 1000])(
    "%i bytes as the browser hashes them",
    async (length) => {
        const content = bytes(length);
        expect(hex(sha256(content))).toBe(hex(new Uint8Array(await crypto.subtle.digest("SHA-256", content))));
    },
);

test.each([
    [1, 0],
    [16, 10],
    [32, 70],
    [64, 200],
])("a key of %i bytes, a message of %i", async (key, message) => {
    const imported = await crypto.subtle.importKey("raw", bytes(key), { name: "HMAC", hash: "SHA-256" }, false, [
        "sign",
    ]);
    const signed = await crypto.subtle.sign("HMAC", imported, bytes(message));
    expect(hex(hmac(bytes(key), bytes(message)))).toBe(hex(new Uint8Array(signed)));
});
