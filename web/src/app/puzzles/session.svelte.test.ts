import { flushSync } from "svelte";
import { afterEach, expect, test, vi } from "vitest";

import type { Line } from "../../lib/client";
import { leavePage, notices } from "../../lib/notices.svelte";
import type { Puzzle } from "./puzzle";
import { PuzzleSession } from "./session.svelte";

afterEach(leavePage);

/** A session whose core rejects every call when `fail` is called. */
function begin(): { session: PuzzleSession; leave: () => void; fail: () => Promise<void> } {
    const waiting: ((error: Error) => void)[] = [];
    const study = (): Promise<Line> => new Promise((_, reject) => waiting.push(reject));
    const core = { study, judge: () => Promise.reject(new Error()), odds: () => Promise.reject(new Error()) };
    const puzzle = { id: "1", position: "", plays: "sea", goal: "win", turns: 1, solution: "c4-b3" } as Puzzle;
    let session: PuzzleSession | undefined;
    const leave = $effect.root(() => {
        session = new PuzzleSession({ puzzle, core, onAttempt: () => undefined, onSolved: () => undefined });
    });
    flushSync(); // runs the effects, as mounting a component does
    const fail = async (): Promise<void> => {
        for (const reject of waiting) reject(new Error("the game is closed"));
        await new Promise((resolve) => setTimeout(resolve));
    };
    return { session: session as PuzzleSession, leave, fail };
}

test("leaving a puzzle while the core is busy is not reported as a failure", async () => {
    const { session, leave, fail } = begin();
    session.solve();
    session.restart();
    leave();
    await fail();
    expect(notices.list).toEqual([]);
});

test("a core that fails is reported", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const { session, leave, fail } = begin();
    session.solve();
    await fail();
    expect(notices.list).toHaveLength(1);
    leave();
});
