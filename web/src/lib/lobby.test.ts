import { expect, test } from "vitest";

import { challenge as someChallenge } from "../test/challenge";
import { afterMessage } from "./lobby";
import type { ChallengeView } from "./online";

const challenge = (id: string, minute: number, rated = false): ChallengeView => ({
    ...someChallenge,
    id,
    created: `2026-11-15T05:${String(minute).padStart(2, "0")}:00Z`,
    rated,
    open: true,
});

const ids = (challenges: readonly ChallengeView[]): string[] => challenges.map(({ id }) => id);

test("the first message on a connection replaces all challenges", () => {
    const whole = { type: "lobby" as const, challenges: [challenge("b", 2)] };
    expect(ids(afterMessage([challenge("a", 1)], whole))).toEqual(["b"]);
});

test("a change adds, replaces and removes challenges, and keeps the newest first", () => {
    const before = [challenge("c", 3), challenge("b", 2), challenge("a", 1)];
    const change = {
        type: "lobby-change" as const,
        challenges: [challenge("d", 4), challenge("b", 2, true)],
        gone: ["a", "unknown"],
    };
    const after = afterMessage(before, change);
    expect(ids(after)).toEqual(["d", "c", "b"]);
    expect(after.at(-1)?.rated).toBe(true);
    expect(ids(before)).toEqual(["c", "b", "a"]);
});
