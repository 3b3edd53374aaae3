import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { settings } from "./settings.svelte";
import { endSound, sound, soundOf } from "./sound";

const started = vi.fn();
/** The peaks of all tones played. */
const peaks: number[] = [];
let state: AudioContextState = "running";
let resumed = Promise.resolve();

/** Fakes the part of the Web Audio API that we use, because jsdom does not have it. */
class Audio {
    readonly currentTime = 0;
    readonly destination = {};
    get state() {
        return state;
    }
    resume() {
        return resumed.then(() => void (state = "running"));
    }
    createOscillator() {
        const frequency = { setValueAtTime: vi.fn(), exponentialRampToValueAtTime: vi.fn() };
        return { frequency, type: "sine", connect: (node: unknown) => node, start: started, stop: vi.fn() };
    }
    createGain() {
        const ramp = (value: number) => void peaks.push(value);
        const gain = { setValueAtTime: vi.fn(), exponentialRampToValueAtTime: ramp };
        return { gain, connect: (node: unknown) => node };
    }
}

beforeEach(() => {
    started.mockClear();
    vi.stubGlobal("AudioContext", Audio);
});

afterEach(() => {
    state = "running";
    vi.useRealTimers();
    vi.unstubAllGlobals();
    settings.sound = true;
    settings.volume = 70;
});

test("the volume scales every sound, and zero volume means silence", () => {
    const loudest = (volume: number) => {
        peaks.length = 0;
        settings.volume = volume;
        for (const name of ["turn", "offer", "chat", "lowTime", "home", "stone"] as const) sound(name);
        return Math.max(0, ...peaks);
    };
    expect(loudest(50)).toBeCloseTo(loudest(100) / 2);
    expect(loudest(0)).toBe(0);
});

test("a sound plays when sounds are on, and not when they are off", () => {
    settings.sound = false;
    sound("step");
    expect(started).not.toHaveBeenCalled();
    settings.sound = true;
    sound("step");
    expect(started).toHaveBeenCalledTimes(1);
});

test("sounds requested while the browser blocks audio are not played later", async () => {
    vi.useFakeTimers();
    state = "suspended";
    resumed = new Promise((done) => setTimeout(done, 5000));
    for (let count = 0; count < 5; count += 1) sound("step");
    await vi.advanceTimersByTimeAsync(6000);
    expect(started).not.toHaveBeenCalled();
    sound("step");
    expect(started).toHaveBeenCalledTimes(1);
});

test("a sound is played if audio is unblocked right away", async () => {
    state = "suspended";
    resumed = Promise.resolve();
    sound("step");
    await vi.waitFor(() => expect(started).toHaveBeenCalledTimes(1));
});

test("a drawn game has a different sound from a win or a loss", () => {
    expect(endSound(null, ["sea"])).toBe("drawnGame");
    expect(endSound(null, ["forest", "sea"])).toBe("drawnGame");
    expect(endSound("sea", ["sea"])).toBe("win");
    expect(endSound("sea", ["forest"])).toBe("lose");
    expect(endSound("sea", ["forest", "sea"])).toBe("win");
});

test("without audio support, the game continues silently", () => {
    vi.stubGlobal("AudioContext", undefined);
    expect(() => sound("win")).not.toThrow();
});

test("a jump sounds different from a step, and a power that does nothing is silent", () => {
    const way = { kind: "moved", tribe: "sea", origin: "a1", target: "a2", over: null, power: null } as const;
    expect(soundOf({ ...way, way: "step" })).toBe("step");
    expect(soundOf({ ...way, way: "jump" })).toBe("jump");
    expect(soundOf({ kind: "activated", tribe: "sea", code: "DR", space: "a2", result: "nothing" })).toBeNull();
});
