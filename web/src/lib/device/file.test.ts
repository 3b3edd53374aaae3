import { expect, test } from "vitest";

import type { StoredGame } from "../../../core/localGame";
import { readGames, writeGames } from "./file";

/** A game against the computer at a level. */
function gameAt(level: unknown): StoredGame {
    const header = {
        id: "device-abcdefghijkl",
        created: "2026-11-18T09:00:00Z",
        variant: "beginner",
        start: "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F",
        seats: {
            forest: { kind: "person", level: null, name: null },
            sea: { kind: "computer", level, name: null },
        },
        seed: "5a".repeat(32),
    };
    return { header, entries: [] } as unknown as StoredGame;
}

test("games against every level are read as they were written", () => {
    const games = [1, 5, 10].map(gameAt);
    expect(readGames(writeGames(games))).toEqual(games);
});

test.each([0, 11, -1, 1.5, "3", null])("a game against level %j, which does not exist, is damaged", (level) => {
    expect(readGames(writeGames([gameAt(level)]))).toEqual([null]);
});
