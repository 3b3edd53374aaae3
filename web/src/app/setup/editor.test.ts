import { describe, expect, test } from "vitest";

import { MEGALITH_CODES } from "../../lib/megaliths";
import { parsePosition, SPACES, waiting, writePosition } from "@cairn/board/position";
import {
    drawable,
    EMPTY,
    erase,
    flip,
    isOrdered,
    move,
    putMegalith,
    putShaman,
    START,
    whereIs,
    withOrder,
    withScore,
    type Where,
} from "./editor";

const start = parsePosition(START);
const empty = parsePosition(EMPTY);

test("an unchanged table round-trips through text", () => {
    expect([writePosition(start), writePosition(empty)]).toEqual([START, EMPTY]);
});

describe("shamans", () => {
    test("come from the village, replace each other, and return to the village", () => {
        const one = putShaman(start, "c3", "forest");
        expect(one && [waiting(one, "forest"), one.shamans.c3]).toEqual([1, "forest"]);
        const other = one && putShaman(one, "c3", "sea");
        expect(other && [waiting(other, "forest"), waiting(other, "sea")]).toEqual([2, 1]);
        expect(one && waiting(erase(one, "c3"), "forest")).toBe(2);
    });

    test("are limited to five per tribe", () => {
        const five = ["a2", "b2"].reduce((table, space) => putShaman(table, space as "a2", "sea") ?? table, start);
        expect(waiting(five, "sea")).toBe(0);
        expect(putShaman(five, "c2", "sea")).toBeNull();
        expect(putShaman(five, "a2", "sea")).toEqual(five);
    });

    test("stand on top of megaliths", () => {
        const both = putShaman(start, "b3", "sea");
        expect(both && move(both, "b3", "b4")).toMatchObject({ shamans: { b4: "sea" }, megaliths: { b3: "CG" } });
        expect(both && erase(erase(both, "b3"), "b3").megaliths.b3).toBeUndefined();
    });
});

describe("megaliths", () => {
    const places: Where[] = ["c3", "slot:0", "slot:1", "deck", "box"];

    test("are in only one place after they have been put somewhere", () => {
        for (const code of MEGALITH_CODES) {
            for (const place of places) {
                const table = putMegalith(start, code, place);
                expect(whereIs(table, code), `${code} to ${place}`).toBe(place);
                const everywhere = [...Object.values(table.megaliths), ...table.upcoming];
                everywhere.push(...table.deck.unknown, ...table.deck.known);
                expect(everywhere.filter((one) => one === code)).toHaveLength(place === "box" ? 0 : 1);
                const written = writePosition(table);
                expect(writePosition(parsePosition(written))).toBe(written);
            }
        }
    });

    test("can be moved on the field", () => {
        expect(move(start, "b3", "d3").megaliths).toEqual({ d3: "CG" });
        expect(move(start, "b3", "b3")).toBe(start);
        expect(erase(start, "a3")).toBe(start);
    });
});

describe("the deck", () => {
    const field = (table: typeof start): string => writePosition(table).split(" ")[3] ?? "";

    test("is written alphabetically if its order is unknown, and a single tile counts as known", () => {
        const one = putMegalith(empty, "SA", "deck");
        expect(field(one)).toBe("SA");
        const two = putMegalith(one, "AD", "deck");
        expect(field(two)).toBe("(ADSA)");
        expect(field(putMegalith(two, "AD", "box"))).toBe("SA");
    });

    test("keeps the order in which tiles were added if the order is known", () => {
        const known = withOrder(start, true);
        expect([field(known), isOrdered(known.deck)]).toEqual(["ADCSPSSA", true]);
        expect(field(putMegalith(known, "AD", "deck", true))).toBe("CSPSSAAD");
        expect(field(withOrder(known, false))).toBe("(ADCSPSSA)");
    });

    test("keeps the known order of its bottom tiles", () => {
        const mixed = parsePosition(START.replace("(ADCSPSSA)", "(ADCS)PS"));
        expect(field(putMegalith(mixed, "TS", "deck"))).toBe("(ADCSTS)PS");
        expect(field(putMegalith(mixed, "AD", "box"))).toBe("CSPS");
    });
});

test("tiles can be flipped and scores set", () => {
    expect(writePosition(flip(flip(start, "add"), "transformation"))).toContain(" bofe ");
    expect(flip(flip(start, "jump"), "jump")).toEqual(start);
    expect(writePosition(withScore(start, "sea", 2))).toContain(" 0-2 ");
});

test("drawable keeps only one copy of a duplicate tile", () => {
    const table = drawable(parsePosition(START.replace("d3CD DRMD", "d3CG DRCG")));
    expect(SPACES.filter((space) => table.megaliths[space])).toEqual(["b3"]);
    expect(table.upcoming).toEqual(["DR", null]);
});

test("drawable removes an unknown tile and keeps the others", () => {
    const table = drawable(parsePosition("5/5/5/5/5 b3ZZ,c3DR ZZMD (ADZZ) wofm 0-0 F"));
    expect(writePosition(table)).toBe("5/5/5/5/5 c3DR --MD AD wofm 0-0 F");
});
