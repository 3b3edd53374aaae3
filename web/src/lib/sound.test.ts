import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { settings } from "./settings.svelte";
import { sound, soundOf } from "./sound";

const started = vi.fn();

/** As much of the browser's audio as the sounds use; jsdom has none. */
class Audio {
    readonly currentTime = 0;
    readonly state = "running";
    readonly destination = {};
    createOscillator() {
        const frequency = { setValueAtTime: vi.fn(), exponentialRampToValueAtTime: vi.fn() };
        return { frequency, type: "sine", connect: (node: unknown) => node, start: started, stop: vi.fn() };
    }
    createGain() {
        const gain = { setValueAtTime: vi.fn(), exponentialRampToValueAtTime: vi.fn() };
        return { gain, connect: (node: unknown) => node };
    }
}

beforeEach(() => {
    started.mockClear();
    vi.stubGlobal("AudioContext", Audio);
});

afterEach(() => {
    vi.unstubAllGlobals();
    settings.sound = true;
});

test("a sound sounds when sounds are on, and not when they are off", () => {
    settings.sound = false;
    sound("step");
    expect(started).not.toHaveBeenCalled();
    settings.sound = true;
    sound("step");
    expect(started).toHaveBeenCalledTimes(1);
});

test("without audio the game goes on in silence", () => {
    vi.stubGlobal("AudioContext", undefined);
    expect(() => sound("win")).not.toThrow();
});

test("a jump sounds unlike a step, and a power that does nothing is silent", () => {
    const way = { kind: "moved", tribe: "sea", origin: "a1", target: "a2", over: null, power: null } as const;
    expect(soundOf({ ...way, way: "step" })).toBe("step");
    expect(soundOf({ ...way, way: "jump" })).toBe("jump");
    expect(soundOf({ kind: "activated", tribe: "sea", code: "DR", space: "a2", result: "nothing" })).toBeNull();
});
