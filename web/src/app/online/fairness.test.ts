import { describe, expect, test } from "vitest";

import type { GameView, TribeName } from "../../lib/client";
import { drawShown, linksTo, startShown, UNKNOWN_START } from "../../lib/sealed/links";
import { keepShown } from "../../lib/sealed/roots";
import { hex, type HeldSeat } from "../../lib/seats";
import { check, commitmentOf, dealt, keyOf, overall, type Finding } from "./fairness";
import recorded from "./recorded/fair.json";

const games = recorded as unknown as (GameView & { draws: number; proof: NonNullable<GameView["proof"]> })[];

/** Change a game, check it, and return the findings that are not "right". */
function wrong(change: (game: GameView) => GameView, held: HeldSeat | null = null): string[] {
    const findings = check(change(games[0] as GameView), held);
    return findings.filter(({ verdict }) => verdict !== "right").map(({ what, verdict }) => `${what} ${verdict}`);
}

const proven = (game: GameView, change: object): GameView =>
    ({ ...game, proof: { ...game.proof, ...change } }) as GameView;

test("reproduces the worked example in docs/fairness.md", () => {
    const seed = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    const [forest, sea] = ["0f1e2d3c4b5a69788796a5b4c3d2e1f0", "a1b2c3d4e5f60718293a4b5c6d7e8f90"];
    expect(commitmentOf(seed, "k7mq2xw9hb4t")).toBe("436dc0e4425f6aa5dd4d9f5ec8728d0250a65f5dae746c5b899da0710874ab6c");
    const key = keyOf(seed, forest, sea, "k7mq2xw9hb4t", ["standard", "", ""]);
    expect(hex(key)).toBe("45890adb6f67417468def46c427d662bccb1761066ca0ef43c4a4694f9d23fc5");
    expect(dealt(key, "standard", null)).toBe("S1S1S/5/5/5/F1F1F b3TS,d3CD MDSA (ADCGCSDRFCHPMMPSSSSW) woem 0-0 F");
    const older = keyOf(seed, forest, sea, "k7mq2xw9hb4t");
    expect(hex(older)).toBe("125609adfd9834c51a1a7729e0ddaac339811ea411b51247a200576ef73f1751");
});

test("covers games with proofs of all versions", () => {
    expect(new Set(games.map(({ proof }) => proof.version))).toEqual(new Set([1, 2, 3]));
});

describe("sealed draws", () => {
    const game = games.find(({ proof }) => proof.version === 3) as (typeof games)[number];
    const verdicts = (changed: GameView): string[] =>
        check(changed, null).flatMap(({ what, verdict }) => (verdict === "right" ? [] : [`${what} ${verdict}`]));

    test("fail the check if a link was changed or is missing, or if there are too few links", () => {
        const link = "00".repeat(32);
        expect(verdicts(proven(game, { sea_link: link }))).toEqual(["start wrong", "draws wrong", "links wrong"]);
        expect(verdicts(proven(game, { forest_link: null }))).toEqual(["start wrong", "draws wrong", "links wrong"]);
        const links = linksTo(game.proof.sea_link, game.proof.sea_number, game.id) ?? [];
        expect(links.length).toBeGreaterThan(3);
        expect(verdicts(proven(game, { sea_link: links.at(-2) }))).toEqual(["draws wrong", "links wrong"]);
    });
    test("may include one extra link from one player, for a draw that the end of the game prevented", () => {
        const last = game.steps.findLastIndex(({ by }) => by === "chance");
        const cut = { ...game, steps: game.steps.slice(0, last) };
        const links = linksTo(game.proof.sea_link, game.proof.sea_number, game.id) ?? [];
        expect(verdicts(proven(cut, { sea_link: links.at(-2) }))).toEqual([]);
        expect(verdicts(cut)).toEqual(["links wrong"]);
        expect(verdicts(proven(cut, { sea_link: links.at(-3) }))).toContain("links wrong");
    });
    test("use this browser's links for the draws that they were revealed for", () => {
        const { commitment, forest_number: forest, sea_number: sea } = game.proof;
        const own = (): Finding[] => check(game, null).filter(({ what }) => what === "revealed");
        expect(own()).toEqual([]);
        const tokens = game.steps.map(({ token }) => token);
        const draws = game.steps.flatMap(({ by }, index) => (by === "chance" ? [index] : []));
        keepShown(forest, 1, startShown(commitment, forest, sea));
        for (const [number, at] of draws.entries()) {
            keepShown(forest, number + 2, drawShown(game.start, tokens.slice(0, at)));
        }
        expect(own()).toEqual([{ what: "revealed", verdict: "right" }]);
        keepShown(forest, 2, drawShown(game.start, ["a1-a2"]));
        expect(own()).toEqual([{ what: "revealed", verdict: "wrong" }]);
        localStorage.clear();
        keepShown(forest, 1, startShown(commitment, forest, forest));
        expect(own()).toEqual([{ what: "revealed", verdict: "wrong" }]);
        localStorage.clear();
    });
    test("may include a single link from one player if the game ended before it started", () => {
        const links = linksTo(game.proof.forest_link, game.proof.forest_number, game.id) ?? [];
        const early = { ...game, start: UNKNOWN_START, steps: [] };
        const ended = proven(early, { sea_link: null, forest_link: links[0] });
        expect(verdicts(ended)).toEqual([]);
        expect(verdicts(proven(early, { sea_link: null, forest_link: links[1] }))).toEqual(["links wrong"]);
        expect(verdicts({ ...ended, start: game.start })).toEqual(["start wrong"]);
    });
});

describe.each(games.map((game) => [game.id, game] as const))("%s", (_, game) => {
    test("passes the check, which covers every draw", () => {
        const findings = check(game, null);
        expect(overall(findings)).toBe("right");
        expect(findings.find(({ what }) => what === "draws")).toMatchObject({ n: game.draws });
        expect(game.draws).toBeGreaterThanOrEqual(3);
    });

    test("fails the check if any part of a proof of version 2 or 3 is changed", () => {
        const { proof, variant } = game;
        if (proof.version === 1) return;
        const flip = (text: string): string => text.slice(0, -1) + (text.endsWith("0") ? "1" : "0");
        const others = (known: TribeName | null) => ([null, "forest", "sea"] as const).filter((each) => each !== known);
        const changed: GameView[] = [
            ...(["commitment", "seed", "forest_number", "sea_number"] as const).map((name) =>
                proven(game, { [name]: flip(proof[name] ?? "") }),
            ),
            ...others(proof.first).map((first) => proven(game, { first })),
            ...others(proof.tossed ?? null).map((tossed) => proven(game, { tossed })),
            proven(game, { version: 1 }),
            { ...game, id: `${game.id}x` },
            ...(["beginner", "standard", "expert"] as const)
                .filter((each) => each !== variant)
                .map((each) => ({ ...game, variant: each })),
        ];
        expect(changed).toHaveLength(12);
        for (const each of changed) expect(overall(check(each, null))).toBe("wrong");
    });

    test("fails the check if any drawn tile is replaced", () => {
        const draws = game.steps.flatMap(({ by }, index) => (by === "chance" ? [index] : []));
        for (const [number, index] of draws.entries()) {
            const steps = game.steps.map((step, at) => (at === index ? { ...step, token: "?XX" } : step));
            const findings = check({ ...game, steps }, null);
            expect(findings).toContainEqual({ what: "draws", verdict: "wrong", n: number + 1 } satisfies Finding);
        }
    });
});

describe("the check detects", () => {
    const seed = "00".repeat(32);
    const number = "11".repeat(16);

    test("a different seed", () => {
        expect(wrong((game) => proven(game, { seed }))).toContain("commitment wrong");
    });
    test("a different number", () => {
        expect(wrong((game) => proven(game, { sea_number: number }))).toContain("start wrong");
    });
    test("a different start", () => {
        expect(wrong((game) => ({ ...game, start: game.start.replace(/.$/, "X") }))).toContain("start wrong");
    });
    test("that both numbers are missing and nothing is proven", () => {
        expect(wrong((game) => proven(game, { forest_number: "", sea_number: "" }))).toContain("numbers open");
    });
    test("an unpublished seed", () => {
        expect(wrong((game) => proven(game, { seed: null }))).toEqual(["commitment open"]);
    });
    test("a commitment or number that differs from the value stored in this browser", () => {
        const { commitment, forest_number } = games[0]?.proof ?? { commitment: "", forest_number: "" };
        const held = { token: null, commitment, number: forest_number };
        expect(wrong((game) => game, held)).toEqual([]);
        expect(wrong((game) => game, { ...held, number })).toEqual(["own wrong"]);
        expect(wrong((game) => game, { ...held, commitment: seed })).toEqual(["own wrong"]);
    });
    test("a missing number that was never acknowledged, but only in the player's own games", () => {
        const { commitment } = games[0]?.proof ?? { commitment: "" };
        const held = { token: null, commitment, number, unanswered: true };
        expect(wrong((game) => ({ ...game, you: ["sea"] }), held)).toEqual(["own wrong"]);
        expect(wrong((game) => ({ ...game, you: [] }), held)).toEqual([]);
    });
    test("swapped tribes", () => {
        const game = games.find(({ proof }) => proof.tossed) as GameView;
        const { tossed, forest_number, sea_number } = game.proof as NonNullable<GameView["proof"]>;
        const swapped = { forest_number: sea_number, sea_number: forest_number };
        const other = tossed === "forest" ? "sea" : "forest";
        expect(check(game, null)).toContainEqual({ what: "tribes", verdict: "right" });
        expect(check(proven(game, { ...swapped, tossed: other }), null)).toContainEqual({
            what: "tribes",
            verdict: "wrong",
        });
    });
    test("a toss that was not agreed on, and an agreed toss that did not take place", () => {
        for (const game of games) {
            const { commitment, forest_number: number, tossed, first } = game.proof;
            const sealed = game.proof.version === 3;
            const agreed = { made: tossed === "forest", tossed: tossed !== null, first, sealed };
            const own = (agreed: HeldSeat["agreed"]) =>
                check(game, { token: null, commitment, number, agreed }).find(({ what }) => what === "own")?.verdict;
            expect(own(undefined)).toBe("right");
            expect(own(agreed)).toBe("right");
            expect(own({ ...agreed, tossed: !agreed.tossed })).toBe("wrong");
            expect(own({ ...agreed, first: first ? null : "sea" })).toBe("wrong");
            expect(own({ ...agreed, sealed: !sealed })).toBe("wrong");
            if (tossed) expect(own({ ...agreed, made: !agreed.made })).toBe("wrong");
        }
    });
});
