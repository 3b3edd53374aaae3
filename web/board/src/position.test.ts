import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";

import {
    deckSize,
    FACES,
    otherFace,
    parsePosition,
    PositionError,
    SPACES,
    TILES,
    waiting,
    writePosition,
} from "./position";

const START = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F";

/** Every position and board in a test vector file. */
function texts(file: string): string[] {
    const content = readFileSync(resolve(import.meta.dirname, "../../../tests/data", file), "utf8");
    return [...content.matchAll(/"(?:position|board)": "([^"]+)"/g)].map((found) => found[1] ?? "");
}

describe("positions", () => {
    it("are parsed into a table", () => {
        const table = parsePosition("S1F1S/1S3/5/2SF1/F4 b1HE,d5CD --AD (CSDR)MM bdee 2-3 S");
        expect(table).toEqual({
            shamans: { a1: "forest", c2: "sea", d2: "forest", b4: "sea", a5: "sea", c5: "forest", e5: "sea" },
            megaliths: { b1: "HE", d5: "CD" },
            upcoming: [null, "AD"],
            deck: { unknown: ["CS", "DR"], known: ["MM"] },
            faces: { add: "b", move: "d", jump: "e", transformation: "e" },
            scores: { forest: 2, sea: 3 },
            active: "sea",
        });
        expect([waiting(table, "forest"), waiting(table, "sea"), deckSize(table)]).toEqual([2, 1, 3]);
    });

    it.each(["perft.jsonl", "powers.jsonl", "special.jsonl", "games.jsonl"])("in %s round-trip unchanged", (file) => {
        const found = new Set(texts(file));
        expect(found.size).toBeGreaterThan(20);
        for (const text of found) expect(writePosition(parsePosition(text))).toBe(text);
    });

    it.each([
        ["", "7 fields"],
        [`${START} x`, "7 fields"],
        [START.replace("5/5/5", "5/5"), "five rows"],
        [START.replace("S1S1S", "S1S1SS"), "five spaces wide"],
        [START.replace("S1S1S", "S1S1"), "five spaces wide"],
        [START.replace("/5/5/5/", "/32/5/5/"), "two digits"],
        [START.replace("S1S1S", "SXS1S"), "neither F nor S"],
        [START.replace("/5/5/5/", "/FFFFF/5/5/"), "more than 5"],
        [START.replace("b3CG", "b6CG"), "space on the field"],
        [START.replace("b3CG", "b3cg"), "megalith code"],
        [START.replace("d3CD", "b3CD"), "two megaliths on b3"],
        [START.replace("DRMD", "DRM"), "two slots"],
        [START.replace("(ADCSPSSA)", "(ADCSPSS)"), "two-letter codes"],
        [START.replace("(ADCSPSSA)", "AD(CSPSSA)"), "list of tiles"],
        [START.replace("wofm", "owfm"), "Tile faces"],
        [START.replace("wofm", "wofmm"), "Tile faces"],
        [START.replace("0-0", "0-4"), "Scores"],
        [START.replace(" F", " f"), "Active player"],
    ])("are rejected when malformed: %s", (text, reason) => {
        expect(() => parsePosition(text)).toThrow(PositionError);
        expect(() => parsePosition(text)).toThrow(reason);
    });
});

it("SPACES lists the spaces row by row, from a1 to e5", () => {
    expect(SPACES).toHaveLength(25);
    expect([SPACES[0], SPACES[1], SPACES[5], SPACES[24]]).toEqual(["a1", "b1", "a2", "e5"]);
});

it("otherFace returns the opposite face of a tile", () => {
    for (const tile of TILES) {
        const [first, second] = FACES[tile];
        expect([otherFace(tile, first), otherFace(tile, second)]).toEqual([second, first]);
    }
});
