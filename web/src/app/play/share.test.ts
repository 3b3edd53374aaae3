import { afterEach, expect, test, vi } from "vitest";

import type { GameView } from "../../lib/client";
import { notices } from "../../lib/notices.svelte";
import { chain, held } from "../../test/recorded";
import { copyRecord, rematchOf, turnStart } from "./share";

const [start, first, second, third] = chain;
const played: GameView = {
    ...start,
    revision: third.revision,
    steps: [...first.steps, ...second.steps, ...third.steps],
    now: third.now,
};

afterEach(() => vi.unstubAllGlobals());

test("the clipboard is asked while the click is handled, before the record arrives", async () => {
    vi.stubGlobal("fetch", () => new Promise((done) => setTimeout(() => done(new Response("a record")), 10)));
    vi.stubGlobal("ClipboardItem", vi.fn());
    const write = vi.fn(() => Promise.resolve());
    vi.stubGlobal("navigator", { clipboard: { write } });
    const copied = copyRecord("abc");
    expect(write).toHaveBeenCalledOnce();
    await copied;
    expect(notices.list.at(-1)).toMatchObject({ kind: "info" });
});

test("a position that can be shared stands at the start of a turn", () => {
    expect(turnStart(played, 0)).toBe(start.start);
    expect(turnStart(played, 1)).toBe(start.start);
    expect(turnStart(played, 2)).toBe(start.start);
    expect(turnStart(played, 3)).toBe(third.now.position);
});

test("of a finished game, the position before its last turn", () => {
    const outcome = { winner: "sea", reason: "score", rule: "G1" } as const;
    const over: GameView = { ...played, now: { ...third.now, turn: 1, phase: "over", outcome } };
    expect(turnStart(over, 3)).toBe(start.start);
});

test("a rematch has the sides swapped", () => {
    expect(rematchOf(start)).toEqual({ seats: start.seats, position: start.start });
    const against: GameView = { ...held[0], variant: "expert" };
    expect(rematchOf(against)).toEqual({
        seats: { forest: held[0].seats.sea, sea: held[0].seats.forest },
        variant: "expert",
    });
});
