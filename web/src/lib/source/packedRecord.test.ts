import { Blob } from "node:buffer";
import { CompressionStream, DecompressionStream } from "node:stream/web";

import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { pack, unpack } from "./packedRecord";

// jsdom has no streams.
beforeAll(() => {
    for (const [name, value] of Object.entries({ Blob, CompressionStream, DecompressionStream }))
        vi.stubGlobal(name, value);
});
afterAll(() => vi.unstubAllGlobals());

const record = `[Forest "Анна"]\n[Sea "level 1"]\n\n${"a1-a2 b1-b2 ".repeat(40)}\n`;

test("a packed record can be unpacked, and it fits into a fragment", async () => {
    const packed = await pack(record);
    expect(packed).toMatch(/^[\w-]+$/);
    expect(packed.length).toBeLessThan(record.length);
    expect(await unpack(packed)).toBe(record);
});

test("a game that is too long for a link is refused", async () => {
    const long = Array.from({ length: 20_000 }, (_, index) => Math.sin(index).toString(36)).join(" ");
    await expect(pack(long)).rejects.toMatchObject({ kind: "long-link" });
});

test("a truncated link is rejected", async () => {
    const packed = await pack(record);
    for (const broken of [packed.slice(0, -9), "", "!!!"])
        await expect(unpack(broken)).rejects.toMatchObject({ kind: "broken-link" });
});
