import { beforeEach, expect, test, vi } from "vitest";

import type { progress as Progress } from "./progress.svelte";
import type { Puzzle } from "./puzzle";

/** The progress as a page reads it when it is loaded. */
async function load(): Promise<typeof Progress> {
    vi.resetModules();
    return (await import("./progress.svelte")).progress;
}

const puzzle = (id: string): Puzzle => ({
    id,
    variant: "beginner",
    position: "",
    plays: "sea",
    goal: "win",
    turns: 3,
    solution: "",
    themes: ["exit"],
    rating: 900,
    deviation: 100,
});

beforeEach(() => localStorage.clear());

test("only the first attempt at a puzzle is rated, and it is remembered", async () => {
    const progress = await load();
    expect(progress.isNew).toBe(true);
    progress.record(puzzle("a"), puzzle("a"), false);
    const { rating } = progress;
    progress.record(puzzle("a"), puzzle("a"), true);
    expect(progress.rating).toBe(rating);
    progress.record(puzzle("b"), puzzle("b"), true);
    const later = await load();
    expect([later.tried, later.solved, later.isKnown("a"), later.isKnown("c")]).toEqual([2, 1, true, false]);
    expect(later.rating).toBe(progress.rating);
});

test("an attempt in another tab is not lost", async () => {
    const here = await load();
    const there = await load();
    here.record(puzzle("a"), puzzle("a"), true);
    there.record(puzzle("b"), puzzle("b"), true);
    expect((await load()).tried).toBe(2);
});

test("a streak grows day by day, lasts through the next day and then ends", async () => {
    const progress = await load();
    progress.recordDaily("2026-02-28");
    progress.recordDaily("2026-02-28");
    progress.recordDaily("2026-03-01");
    expect(progress.streak("2026-03-01")).toBe(2);
    expect(progress.streak("2026-03-02")).toBe(2);
    expect(progress.isDailyDone("2026-03-02")).toBe(false);
    expect(progress.streak("2026-03-03")).toBe(0);
    progress.recordDaily("2026-03-03");
    expect((await load()).streak("2026-03-03")).toBe(1);
});

test("damaged storage is ignored", async () => {
    localStorage.setItem("cairn.puzzles", '{"rating":"high","tried":5,"day":7}');
    const progress = await load();
    expect([progress.rating, progress.tried, progress.streak("2026-03-03")]).toEqual([900, 0, 0]);
});

test("attempts wait on the device until the server has them, also those of another tab", async () => {
    const here = await load();
    const there = await load();
    here.record(puzzle("a"), puzzle("a"), true);
    there.record(puzzle("b"), puzzle("b"), false);
    expect(here.unsent).toEqual([
        { puzzle: "a", solved: true },
        { puzzle: "b", solved: false },
    ]);
    here.markSent(["a"]);
    expect((await load()).unsent).toEqual([{ puzzle: "b", solved: false }]);
    expect((await load()).tried).toBe(2);
});

test("attempts from before there was a queue are sent too", async () => {
    localStorage.setItem("cairn.puzzles", '{"tried":{"a":true}}');
    expect((await load()).unsent).toEqual([{ puzzle: "a", solved: true }]);
});
