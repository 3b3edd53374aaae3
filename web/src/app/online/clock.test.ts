import { describe, expect, test } from "vitest";

import type { GameView, Step } from "../../lib/client";
import type { ClockView, Control } from "../../lib/online";
import { clockText, isLow, remaining } from "./clock";
import { canClaim, canTakeBack } from "./offers";

const real: Control = { kind: "real-time", initial: 300_000, increment: 8_000 };
const clock: ClockView = { control: real, forest: 65_000, sea: 5_400, running: "sea", at: 1_000_000 };

describe("the time left", () => {
    test("decreases only on the running clock, and never below zero", () => {
        expect(remaining(clock, "sea", 1_002_000)).toBe(3_400);
        expect(remaining(clock, "forest", 1_002_000)).toBe(65_000);
        expect(remaining(clock, "sea", 1_900_000)).toBe(0);
        expect(remaining(clock, "sea", 999_000)).toBe(5_400); // this device's clock is behind the server's
    });

    test.each([
        [65_000, "1:05"],
        [64_001, "1:05"],
        [600_000, "10:00"],
        [10_000, "0:10"],
        [9_999, "0:09.9"],
        [40, "0:00.0"],
        [3_723_000, "1:02:03"],
        [172_799_000, "47:59:59"],
    ])("of %d ms is shown as %s", (left, text) => expect(clockText(left)).toEqual({ unit: "time", text }));

    test("is shown in days and hours if it is two days or more", () => {
        expect(clockText(3 * 86_400_000 - 1)).toEqual({ unit: "days", n: 2, hours: 23 });
    });

    test("counts as low below a limit that depends on the time control", () => {
        expect([30_001, 29_999, 9_000].map((left) => isLow(real, left))).toEqual([false, true, true]);
        expect(isLow({ ...real, initial: 60_000 }, 11_000)).toBe(false);
        const days: Control = { kind: "correspondence", days: 2 };
        expect([86_400_000, 3_600_000].map((left) => isLow(days, left))).toEqual([false, true]);
    });
});

describe("a player", () => {
    const steps = (...by: string[]): Step[] => by.map((each) => ({ by: each }) as Step);

    test("cannot ask for a takeback past a drawn tile", () => {
        expect(canTakeBack(steps("forest", "sea"), "forest")).toBe(true);
        expect(canTakeBack(steps("forest", "chance", "sea"), "forest")).toBe(false);
        expect(canTakeBack(steps("forest", "chance", "sea"), "sea")).toBe(true);
        expect(canTakeBack([], "forest")).toBe(false);
    });

    test("can claim the win if the opponent has to decide and has been away for a minute", () => {
        const game = {
            changed: new Date(1_000_000).toISOString(),
            seats: { forest: { kind: "person" }, sea: { kind: "person" } },
            now: { decider: "sea", held: null, outcome: null, clock, owed: [] },
        } as unknown as GameView;
        const claim = (change: object, awayFor: number | undefined, now: number, tribe: "forest" | "sea" = "forest") =>
            canClaim({ ...game, now: { ...game.now, ...change } }, tribe, awayFor, now);
        expect(claim({}, 60_000, 1_070_000)).toBe(true);
        expect(claim({}, 59_999, 1_070_000)).toBe(false);
        expect(claim({}, 90_000, 1_059_999)).toBe(false); // the last move was less than a minute ago
        expect(claim({}, undefined, 2_000_000)).toBe(false);
        expect(claim({}, 990_000, 2_000_000, "sea")).toBe(false);
        expect(claim({ outcome: {} }, 990_000, 2_000_000)).toBe(false);
        // A sealed draw is waiting for a link.
        expect(claim({ decider: "chance", owed: ["sea"] }, 60_000, 1_070_000)).toBe(true);
        expect(claim({ decider: "chance", owed: ["forest", "sea"] }, 60_000, 1_070_000)).toBe(false);
    });

    test("can claim the win in a game without a clock if the opponent has not decided for three days", () => {
        const game = {
            changed: new Date(1_000_000).toISOString(),
            seats: { forest: { kind: "person" }, sea: { kind: "person" } },
            now: { decider: "sea", held: null, outcome: null, clock: null, owed: [] },
        } as unknown as GameView;
        const due = 1_000_000 + 3 * 86_400_000;
        for (const awayFor of [undefined, 990_000]) {
            expect(canClaim(game, "forest", awayFor, due - 1)).toBe(false);
            expect(canClaim(game, "forest", awayFor, due)).toBe(true);
            expect(canClaim(game, "sea", awayFor, due)).toBe(false);
        }
    });
});
