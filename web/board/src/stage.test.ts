import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { Effect } from "./effects";
import { wait } from "./playback";
import { parsePosition, writePosition } from "./position";
import { shamansOf } from "./scene";
import { Stage } from "./stage.svelte";

const START = parsePosition("S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F");
const END = "S3S/5/5/F4/2F1F b3CG,d3CD DRMD (ADCSPSSA) wdfm 0-0 F";
const EFFECTS: Effect[] = [
    { kind: "moved", tribe: "forest", origin: "a1", target: "a2", way: "step" },
    { kind: "flipped", tile: "move", face: "d" },
    { kind: "banished", tribe: "sea", space: "c5" },
];

describe("a stage", () => {
    let stage: Stage;
    beforeEach(() => {
        vi.useFakeTimers();
        stage = new Stage(START);
    });
    afterEach(() => void vi.useRealTimers());

    const shown = () => [stage.effect?.kind ?? null, stage.effectIndex];

    it("shows effects one after another, each for its duration", async () => {
        const done = stage.play(EFFECTS, 100);
        expect(shown()).toEqual(["moved", 0]);
        await vi.advanceTimersByTimeAsync(99);
        expect(shown()).toEqual(["moved", 0]);
        await vi.advanceTimersByTimeAsync(1);
        expect(shown()).toEqual(["flipped", 1]);
        await vi.advanceTimersByTimeAsync(60);
        expect(shown()).toEqual(["banished", 2]);
        await vi.advanceTimersByTimeAsync(100);
        expect(await done).toBe(true);
        expect(shown()).toEqual([null, 0]);
        expect(writePosition(stage.scene)).toBe(END);
    });

    it("shows a leaving shaman beyond the edge before it appears in its village", async () => {
        stage.show(parsePosition("4S/3F1/5/5/F4 - DRMD - woem 0-0 F"));
        const id = stage.scene.standing.d4;
        const home = stage.scene.homes.forest.length;
        const done = stage.play([{ kind: "left", tribe: "forest", origin: "d4", way: "jump", direction: "ne" }], 100);
        const place = () => shamansOf(stage.scene).find((shaman) => shaman.id === id)?.place;
        expect(place()).toEqual({ at: "beyond", origin: "d4", direction: "ne", spaces: 2 });
        expect(stage.scene.shamans.d4).toBeUndefined();
        await vi.advanceTimersByTimeAsync(140);
        expect(place()).toMatchObject({ at: "village", tribe: "forest" });
        expect(stage.scene).toMatchObject({ returned: id, leaving: undefined });
        expect(await Promise.race([done, false])).toBe(false);
        await vi.advanceTimersByTimeAsync(80);
        expect(await done).toBe(true);
        expect(stage.scene.homes.forest).toHaveLength(home + 1);
    });

    it("loses no shaman if playback is cancelled while one is beyond the edge", () => {
        void stage.play([{ kind: "left", tribe: "sea", origin: "a5", way: "step", direction: "s" }], 100);
        expect(stage.scene.leaving).toBeDefined();
        stage.show(START);
        expect(shamansOf(stage.scene)).toHaveLength(10);
        expect(new Set(shamansOf(stage.scene).map(({ id }) => id)).size).toBe(10);
    });

    it("takes no time at pace 0", async () => {
        expect(await stage.play(EFFECTS, 0)).toBe(true);
        expect(writePosition(stage.scene)).toBe(END);
        expect(stage.effect).toBeNull();
    });

    it("applies a changed pace from the next effect on", async () => {
        let pace = 100;
        const done = stage.play(EFFECTS, () => pace);
        pace = 0;
        await vi.advanceTimersByTimeAsync(100);
        expect(await done).toBe(true);
    });

    it("skips to the end", async () => {
        const done = stage.play(EFFECTS, 60_000);
        stage.skip();
        expect(await done).toBe(true);
        expect(writePosition(stage.scene)).toBe(END);
        expect(stage.effect).toBeNull();
    });

    it("stops playing immediately when another table is shown, and does not resume", async () => {
        const done = stage.play(EFFECTS, 60_000);
        stage.show(START);
        expect(shown()).toEqual([null, 0]);
        expect(await done).toBe(false);
        expect(writePosition(stage.scene)).toBe(writePosition(START));
    });

    it("stops playing immediately when other effects are played", async () => {
        const first = stage.play(EFFECTS, 60_000);
        const second = stage.play(EFFECTS.slice(2), 100);
        expect(await first).toBe(false);
        expect(shown()).toEqual(["banished", 0]);
        await vi.runAllTimersAsync();
        expect(await second).toBe(true);
    });
});

describe("wait", () => {
    it("leaves no listener on the signal, and returns immediately if the signal is aborted", async () => {
        const control = new AbortController();
        const added = vi.spyOn(control.signal, "addEventListener");
        const removed = vi.spyOn(control.signal, "removeEventListener");
        for (let count = 0; count < 3; count++) await wait(1, control.signal);
        expect(added).toHaveBeenCalledTimes(3);
        expect(removed.mock.calls).toEqual(added.mock.calls);
        control.abort();
        await wait(60_000, control.signal);
    });
});
