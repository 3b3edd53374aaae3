import { describe, expect, test } from "vitest";

import type { GameView } from "../../lib/client";
import { hex, type HeldSeat } from "../../lib/seats";
import { check, commitmentOf, dealt, keyOf, overall, type Finding } from "./fairness";
import recorded from "./recorded/fair.json";

const games = recorded as unknown as (GameView & { draws: number; proof: NonNullable<GameView["proof"]> })[];

/** What is wrong with a game after a change. */
async function wrong(change: (game: GameView) => GameView, held: HeldSeat | null = null): Promise<string[]> {
    const findings = await check(change(games[0] as GameView), held);
    return findings.filter(({ verdict }) => verdict !== "right").map(({ what, verdict }) => `${what} ${verdict}`);
}

const proven = (game: GameView, change: object): GameView =>
    ({ ...game, proof: { ...game.proof, ...change } }) as GameView;

test("the worked example of docs/fairness.md", async () => {
    const seed = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    const [forest, sea] = ["0f1e2d3c4b5a69788796a5b4c3d2e1f0", "a1b2c3d4e5f60718293a4b5c6d7e8f90"];
    expect(await commitmentOf(seed, "k7mq2xw9hb4t")).toBe(
        "436dc0e4425f6aa5dd4d9f5ec8728d0250a65f5dae746c5b899da0710874ab6c",
    );
    const key = await keyOf(seed, forest, sea, "k7mq2xw9hb4t");
    expect(hex(key)).toBe("125609adfd9834c51a1a7729e0ddaac339811ea411b51247a200576ef73f1751");
    expect(await dealt(key, "standard", null)).toBe(
        "S1S1S/5/5/5/F1F1F b3PS,d3FC CDMM (ADCGCSDRHPMDSASSSWTS) bdfe 0-0 S",
    );
});

describe.each(games.map((game) => [game.id, game] as const))("%s", (_, game) => {
    test("everything is right, and every draw was looked at", async () => {
        const findings = await check(game, null);
        expect(overall(findings)).toBe("right");
        expect(findings.find(({ what }) => what === "draws")).toMatchObject({ n: game.draws });
        expect(game.draws).toBeGreaterThanOrEqual(3);
    });

    test("another tile at any draw is found", async () => {
        const draws = game.steps.flatMap(({ by }, index) => (by === "chance" ? [index] : []));
        for (const [number, index] of draws.entries()) {
            const steps = game.steps.map((step, at) => (at === index ? { ...step, token: "?XX" } : step));
            const findings = await check({ ...game, steps }, null);
            expect(findings).toContainEqual({ what: "draws", verdict: "wrong", n: number + 1 } satisfies Finding);
        }
    });
});

describe("what does not fit is found", () => {
    const seed = "00".repeat(32);
    const number = "11".repeat(16);

    test("another seed", async () => {
        expect(await wrong((game) => proven(game, { seed }))).toContain("commitment wrong");
    });
    test("another number", async () => {
        expect(await wrong((game) => proven(game, { sea_number: number }))).toContain("start wrong");
    });
    test("another start", async () => {
        expect(await wrong((game) => ({ ...game, start: game.start.replace(/.$/, "X") }))).toContain("start wrong");
    });
    test("no numbers at all prove nothing", async () => {
        expect(await wrong((game) => proven(game, { forest_number: "", sea_number: "" }))).toContain("numbers open");
    });
    test("a seed that is not told yet", async () => {
        expect(await wrong((game) => proven(game, { seed: null }))).toEqual(["commitment open"]);
    });
    test("a commitment or a number that this browser has kept otherwise", async () => {
        const { commitment, forest_number } = games[0]?.proof ?? { commitment: "", forest_number: "" };
        const held = { token: null, commitment, number: forest_number };
        expect(await wrong((game) => game, held)).toEqual([]);
        expect(await wrong((game) => game, { ...held, number })).toEqual(["own wrong"]);
        expect(await wrong((game) => game, { ...held, commitment: seed })).toEqual(["own wrong"]);
    });
});
