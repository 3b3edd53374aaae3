import { afterEach, expect, test, vi } from "vitest";

import type { GameView } from "../../lib/client";
import { notices } from "../../lib/notices.svelte";
import { chain, held } from "../../test/recorded";
import { nextLevelOf, rematchOf, replayOf } from "./nextGame";
import { copyRecord, turnStart } from "./share";

const [start, first, second, third] = chain;
const played: GameView = {
    ...start,
    revision: third.revision,
    steps: [...first.steps, ...second.steps, ...third.steps],
    now: third.now,
};

afterEach(() => vi.unstubAllGlobals());

test("accesses the clipboard during the click, before the record arrives", async () => {
    vi.stubGlobal("ClipboardItem", vi.fn());
    const write = vi.fn(() => Promise.resolve());
    vi.stubGlobal("navigator", { clipboard: { write } });
    const copied = copyRecord(new Promise((done) => setTimeout(() => done("a record"), 10)));
    expect(write).toHaveBeenCalledOnce();
    await copied;
    expect(notices.list.at(-1)).toMatchObject({ kind: "info" });
});

test("shares the position at the start of the turn", () => {
    expect(turnStart(played, 0)).toBe(start.start);
    expect(turnStart(played, 1)).toBe(start.start);
    expect(turnStart(played, 2)).toBe(start.start);
    expect(turnStart(played, 3)).toBe(third.now.position);
});

test("shares the position before the last turn of a finished game", () => {
    const outcome = { winner: "sea", reason: "score", rule: "G1" } as const;
    const over: GameView = { ...played, now: { ...third.now, turn: 1, phase: "over", outcome } };
    expect(turnStart(over, 3)).toBe(start.start);
});

test("swaps the sides in a rematch", () => {
    expect(rematchOf(start)).toEqual({ seats: start.seats, position: start.start });
    const against: GameView = { ...held[0], variant: "expert" };
    expect(rematchOf(against)).toEqual({
        seats: { forest: held[0].seats.sea, sea: held[0].seats.forest },
        variant: "expert",
    });
});

test("offers the next level only to a person who has won a regular game", () => {
    const seats = { forest: { kind: "person", level: null, name: null }, sea: computer(3) } as const;
    const over = (winner: "forest" | "sea" | null, change: Partial<GameView> = {}): GameView => ({
        ...start,
        variant: "beginner",
        seats,
        now: { ...start.now, outcome: { winner, reason: "score", rule: "G1" } },
        ...change,
    });
    expect(nextLevelOf(over("forest"))).toEqual({
        level: 4,
        request: { variant: "beginner", seats: { forest: seats.forest, sea: { kind: "computer", level: 4 } } },
    });
    expect(nextLevelOf(over("sea"))).toBeNull();
    expect(nextLevelOf(over(null))).toBeNull();
    expect(nextLevelOf(over("forest", { variant: null }))).toBeNull();
    expect(nextLevelOf(over("forest", { seats: { ...seats, sea: computer(10) } }))).toBeNull();
    expect(nextLevelOf(over("forest", { seats: { forest: seats.forest, sea: seats.forest } }))).toBeNull();
    expect(nextLevelOf({ ...over("forest"), now: start.now })).toBeNull();
    expect(replayOf(over("sea"))).toEqual({ variant: "beginner", seats });
    expect(replayOf(over("sea", { variant: null }))).toEqual({ position: start.start, seats });
});

function computer(level: number): GameView["seats"]["sea"] {
    return { kind: "computer", level, name: null };
}
