import { readFileSync } from "node:fs";
import { basename } from "node:path";

import { beforeEach, expect, test, vi } from "vitest";

import { dayOf, loadDaily, loadNext, loadPart, loadPuzzle, THEMES, type Puzzle } from "./puzzle";

// The files that a server would send.
beforeEach(() => {
    vi.stubGlobal("fetch", (address: URL) => {
        const name = basename(address.pathname).replace(/\?.*/, "");
        return Promise.resolve(new Response(readFileSync(`src/lib/generated/puzzles/${name}`, "utf-8")));
    });
});

const ANY = {
    theme: null,
    rating: 1000,
    ratingOf: (puzzle: Puzzle) => puzzle.rating,
    isKnown: () => false,
    random: 0.5,
} as const;

test("a day has the same puzzle for everybody, and different days have different ones", async () => {
    const days = Array.from({ length: 60 }, (_, day) => dayOf(new Date(Date.UTC(2026, 10, 1 + day))));
    expect(days[17]).toBe("2026-11-18");
    const ids = await Promise.all(days.map(async (day) => (await loadDaily(day))?.id));
    expect(new Set(ids).size).toBe(60);
    expect((await loadDaily("2026-11-18"))?.id).toBe(ids[17]);
});

test("a puzzle is found by its id", async () => {
    const [first] = await loadPart("a");
    expect(first && (await loadPuzzle(first.id))).toBe(first);
    expect(await loadPuzzle("zzzzzzzz")).toBeNull();
    expect(await loadPuzzle("00000000")).toBeNull();
});

test("the next puzzle is new and near the player's rating", async () => {
    const first = await loadNext(ANY);
    const second = await loadNext({ ...ANY, isKnown: (id) => id === first?.id });
    expect(first?.rating).toBeGreaterThan(900);
    expect(first?.rating).toBeLessThan(1100);
    expect(second?.id).not.toBe(first?.id);
    const harder = await loadNext({ ...ANY, rating: 3000 });
    expect(harder?.rating).toBeGreaterThan(first?.rating ?? 0);
});

test("every theme has a next puzzle, and known ones come again when there are no others", async () => {
    for (const theme of THEMES) expect((await loadNext({ ...ANY, theme }))?.themes).toContain(theme);
    expect((await loadNext({ ...ANY, theme: "odds", isKnown: () => true }))?.themes).toContain("odds");
});

test("the rating that people have given to a puzzle decides whether it suits the player", async () => {
    const [first] = await loadPart("8");
    const found = await loadNext({ ...ANY, ratingOf: ({ id }) => (id === first?.id ? 1000 : 2000) });
    expect(found?.id).toBe(first?.id);
});
