import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import type { Step } from "../../lib/client";
import { PACE } from "../../lib/settings.svelte";
import { table } from "../../test/playedGame";
import { chain } from "../../test/recorded";
import { TurnStrip } from "./turnStrip.svelte";

beforeEach(() => {
    vi.useFakeTimers();
    sessionStorage.clear();
});

afterEach(() => void vi.useRealTimers());

const [begun, ...updates] = chain;

function createStrip(speed: "off" | "normal") {
    const game = table(speed);
    const strip = new TurnStrip(game.played, () => PACE[speed]);
    const numbers = () => strip.turn?.steps.map(({ number }) => number) ?? [];
    return { ...game, strip, numbers };
}

describe("the strip", () => {
    test("grows while a turn is shown, and does not run ahead of the board", async () => {
        const { say, strip, numbers, played } = createStrip("normal");
        say(begun);
        expect(strip.turn).toBeNull();
        if (updates[0]) say(updates[0]);
        expect(numbers()).toEqual([1]);
        expect(strip.marks).toEqual([]);
        await vi.advanceTimersByTimeAsync(2 * PACE.normal);
        expect(strip.turn?.steps.map(({ main }) => main.kind)).toEqual(["moved", "activated"]);
        await vi.advanceTimersByTimeAsync(2 * PACE.normal);
        expect(played.playback.caughtUp).toBe(true);
        expect(strip.marks).toEqual(played.sync.steps[0]?.effects);
    });

    test("shows a step again, then the current position, and keeps its sentence", async () => {
        const { say, strip, played } = createStrip("normal");
        say(begun);
        if (updates[0]) say(updates[0]);
        played.skip();
        const now = played.playback.scene?.shamans;
        strip.look(1);
        expect(strip.current).toBe(1);
        expect(played.open).toBe(false);
        expect(played.playback.scene?.shamans).toMatchObject({ a1: "forest" });
        await vi.advanceTimersByTimeAsync(PACE.normal);
        expect(played.playback.effect?.kind).toBe("moved");
        await vi.advanceTimersByTimeAsync(5 * PACE.normal);
        expect(played.playback.rerunning).toBe(false);
        expect(played.playback.scene?.shamans).toEqual(now);
        expect(strip.sentence).toMatch(/a1/);
        strip.look(1); // selecting it again closes it
        expect(strip.sentence).toBeNull();
    });

    test("stops a rerun when the game goes on", async () => {
        const { say, strip, played } = createStrip("normal");
        say(begun);
        if (updates[0]) say(updates[0]);
        played.skip();
        void strip.again();
        await vi.advanceTimersByTimeAsync(PACE.normal / 2);
        if (updates[1]) say(updates[1]);
        expect(played.playback.rerunning).toBe(false);
        await vi.advanceTimersByTimeAsync(20 * PACE.normal);
        expect(played.playback.caughtUp).toBe(true);
        expect(played.isLive).toBe(true);
    });

    test("without animation, only emphasises the step", () => {
        const { say, strip, played } = createStrip("off");
        say(begun);
        if (updates[0]) say(updates[0]);
        const scene = played.playback.scene;
        strip.look(1);
        expect(strip.current).toBe(1);
        expect(played.playback.scene).toBe(scene);
        expect(played.open).toBe(true);
    });
});

test("pauses between the turns of two tribes, even if the reply comes at once", async () => {
    const { played, say, told: shown } = table("normal", false, 500);
    say(begun);
    const first = updates[0];
    if (!first) throw new Error("no update was recorded");
    say(first);
    const [step] = played.sync.steps;
    const game = played.game;
    if (!step || !game) throw new Error("expected a step and a game");
    const answer: Step = { ...step, token: "answer", by: "sea", active: "sea", turn: step.turn + 1, effects: [] };
    say({ ...game, steps: [step, answer] });
    await vi.advanceTimersByTimeAsync(2.3 * PACE.normal); // the first turn has been shown
    expect(played.stepIndex).toBe(1);
    expect(shown).toEqual(["a1-c3"]);
    await vi.advanceTimersByTimeAsync(499);
    expect(shown).toEqual(["a1-c3"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(shown).toEqual(["a1-c3", "answer"]);
});
