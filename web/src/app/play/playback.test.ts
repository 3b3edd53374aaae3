import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import type { Update } from "../../lib/client";
import { PACE } from "../../lib/settings.svelte";
import { table } from "../../test/playedGame";
import { chain, held } from "../../test/recorded";

beforeEach(() => {
    vi.useFakeTimers();
    sessionStorage.clear();
});

afterEach(() => {
    vi.useRealTimers();
});

describe("playback", () => {
    test("shows one effect after another at the chosen speed", async () => {
        const { played, say, told } = table("normal");
        say(chain[0]);
        say(chain[1]);
        expect(played.playback.caughtUp).toBe(false);
        expect(played.open).toBe(false);
        expect(played.playback.effect?.kind).toBe("moved");
        expect(played.playback.scene?.shamans).toMatchObject({ c3: "forest" });
        expect(played.playback.scene?.faces.jump).toBe("f");
        await vi.advanceTimersByTimeAsync(PACE.normal);
        expect(played.playback.effect?.kind).toBe("flipped");
        expect(played.playback.scene?.faces.jump).toBe("e");
        await vi.advanceTimersByTimeAsync(PACE.normal);
        expect(played.playback.effect?.kind).toBe("activated");
        await vi.advanceTimersByTimeAsync(PACE.normal);
        expect(played.playback.caughtUp).toBe(true);
        expect(played.open).toBe(true);
        expect(told).toEqual(["a1-c3"]);
    });

    test("skips to the end on a tap, and also picks if the tap is on a valid pick", () => {
        const { played, say, told } = table("slow");
        say(chain[0]);
        say(chain[1]);
        say(chain[2]);
        expect(played.tap("a1")).toBe("skipped");
        expect(played.playback.caughtUp).toBe(true);
        expect(told).toEqual(["a1-c3", "d5-d4"]);
        const again = table("slow");
        again.say(chain[0]);
        again.say(chain[1]);
        expect(again.played.tap("d5")).toBe("picked");
        expect(again.played.selection.picks).toEqual(["d5"]);
    });

    test("stops showing steps when they are taken back", () => {
        const { played, say } = table("slow");
        say(chain[0]);
        for (const update of chain.slice(1) as Update[]) say(update);
        expect(played.playback.caughtUp).toBe(true);
        expect(played.playback.scene?.shamans).toMatchObject({ a1: "forest", d5: "sea" });
        vi.advanceTimersByTime(10_000);
        expect(played.playback.scene?.shamans).toMatchObject({ a1: "forest", d5: "sea" });
    });

    test("starts at the current decision after a reload in the middle of a chain", () => {
        const { played, say } = table("slow");
        say({
            ...chain[0],
            revision: chain[2].revision,
            steps: [...chain[1].steps, ...chain[2].steps],
            now: chain[2].now,
        });
        expect(played.playback.caughtUp).toBe(true);
        expect(played.open).toBe(true);
        expect(played.sync.moment?.power).toBe("SA");
        expect(played.playback.scene?.shamans).toMatchObject({ c3: "forest", d4: "sea" });
    });
});

describe("a review", () => {
    function afterThree() {
        const made = table();
        made.say(chain[0]);
        for (const update of chain.slice(1, 4) as Update[]) made.say(update);
        return made;
    }

    test("goes step by step, and returns to the live game", () => {
        const { played } = afterThree();
        played.goTo(0);
        expect(played.review.active).toBe(true);
        expect(played.playback.scene?.shamans).toMatchObject({ a1: "forest" });
        expect(played.tap("a5")).toBe("refused");
        played.goTo(2);
        expect(played.stepIndex).toBe(2);
        expect(played.playback.scene?.shamans).toMatchObject({ c3: "forest", d4: "sea" });
        played.goTo(3);
        expect(played.review.active).toBe(false);
        played.goTo(-5);
        expect(played.stepIndex).toBe(0);
        played.goLive();
        expect(played.review.active).toBe(false);
        expect(played.open).toBe(true);
    });

    test("blocks confirm and undo, as unfinished playback does", () => {
        const { played, asked, say } = table("slow");
        say(held[0]);
        say(held[1]);
        expect([played.sync.asked, played.playback.caughtUp, played.canConfirm]).toEqual([true, false, false]);
        const tryBoth = (): number => {
            void played.confirm();
            void played.undo("step");
            return asked.length;
        };
        expect(tryBoth()).toBe(0);
        played.goTo(0);
        expect([played.review.active, played.canConfirm]).toEqual([true, false]);
        expect(tryBoth()).toBe(0);
        played.goLive();
        expect(played.canConfirm).toBe(true);
        expect(tryBoth()).toBe(1);
        expect(asked[0]?.command).toBe("confirm");
    });

    test("stays at its step while the game changes, unless that step is taken back", () => {
        const { played, say } = afterThree();
        played.goTo(2);
        say(chain[4]);
        expect(played.stepIndex).toBe(2);
        say(chain[5]);
        expect(played.stepIndex).toBe(0);
        played.goLive();
        expect(played.playback.scene?.shamans).toMatchObject({ a1: "forest" });
    });

    test("can stay on the last step of a finished game", () => {
        const { played, say } = table();
        const outcome = { winner: "forest", reason: "score", rule: "G1" } as const;
        say({ ...chain[0], steps: chain[1].steps, now: { ...chain[1].now, choices: [], outcome } });
        played.goTo(1);
        expect(played.review.active).toBe(true);
        played.goLive();
        expect(played.review.active).toBe(false);
    });

    test("starts at the step in the URL", () => {
        const { played, say } = table();
        played.stop();
        played.start(1);
        say({ ...chain[0], revision: 2, steps: [...chain[1].steps, ...chain[2].steps], now: chain[2].now });
        expect(played.stepIndex).toBe(1);
        expect(played.review.active).toBe(true);
    });
});
