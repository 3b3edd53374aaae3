import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { challenge as someChallenge } from "../../test/challenge";
import type { GameView } from "../client";
import { localStore } from "../storage";
import { anchorFor, requireStorage } from "./anchor";
import { due } from "./due";
import { linkBefore, linkOf, linksTo, UNKNOWN_START, unknownTiles } from "./links";
import { endRoots, forgetRoots, keepRoot, rootFor, rootOf, type HeldRoot } from "./roots";

beforeEach(() => localStorage.clear());
afterEach(() => void vi.restoreAllMocks());

describe("a chain", () => {
    const game = "k7mq2xw9hb4t";
    const anchor = "8c0866d7eb8cdacd35db05f88aa8c2b585f11b5c0e19117da9e69e9bc5c14e7f";
    const last = "effda20fd587dffc073e5fb5b807c20d7e12b1bdd6bb0a1756ef45e14b1bba8c";

    test("matches the example in docs/fairness.md", () => {
        const links = linksTo(last, anchor, game);
        expect(links).toHaveLength(3);
        expect(links?.at(-1)).toBe(last);
        expect(linkBefore(links?.[0] ?? "", game)).toBe(anchor);
        expect(linksTo(last, "00".repeat(32), game)).toBeNull();
        expect(linksTo(null, anchor, game)).toEqual([]);
    });
    test("does not have its own anchor as a link", () => {
        expect(linksTo(anchor, anchor, game)).toBeNull();
    });
    test("has 16 links, and each is the hash of the next one", () => {
        const root = "5a".repeat(32);
        expect(linkOf(root, 16, game)).toBe(root);
        for (let at = 0; at < 16; at += 1) {
            expect(linkBefore(linkOf(root, at + 1, game), game)).toBe(linkOf(root, at, game));
        }
        expect(linksTo(root, linkOf(root, 0, game), game)).toHaveLength(16);
        expect(() => linkOf(root, 17, game)).toThrow(RangeError);
    });
});

const START = "S1S1S/5/5/5/F1F1F b3CG,d3AD HPSS (CDCSDRFC) bdem 0-0 S";
const challenge = { ...someChallenge, sealed: true, id: "g", tribe: "sea" as const };

/** A game in which we play Forest and which, after these tokens, is waiting for both players' links. */
function waiting(anchor: string, tokens: readonly string[] | null, change: object = {}): GameView {
    return {
        id: "g",
        variant: challenge.variant,
        start: tokens ? START : UNKNOWN_START,
        steps: (tokens ?? []).map((token) => ({ token })),
        now: { phase: "draw", held: null, outcome: null, owed: ["sea", "forest"] },
        proof: {
            version: 3,
            commitment: challenge.commitment,
            forest_number: anchor,
            sea_number: "ab".repeat(32),
            first: null,
            tossed: null,
        },
        ...change,
    } as unknown as GameView;
}

const proven = (game: GameView, change: object): GameView =>
    ({ ...game, proof: { ...game.proof, ...change } }) as GameView;
const nowIs = (game: GameView, change: object): GameView => ({ ...game, now: { ...game.now, ...change } });

describe("this browser", () => {
    let anchor = "";
    let root = "";
    const link = (number: number) => ({ state: "link", link: linkOf(root, number, "g") });

    beforeEach(() => {
        anchor = anchorFor(challenge, false);
        root = rootOf(anchor)?.root ?? "";
    });

    test("stores the root with its anchor, and reuses the root for the same challenge", () => {
        expect(linkOf(root, 0, "g")).toBe(anchor);
        expect(anchorFor(challenge, false)).toBe(anchor);
        expect(anchorFor({ ...challenge, commitment: "11".repeat(32) }, false)).not.toBe(anchor);
        expect(anchorFor({ ...challenge, id: "h" }, false)).not.toBe(anchor);
    });
    test("reveals a link for the start and then one for each draw, as often as it is asked", () => {
        for (let time = 0; time < 2; time += 1) expect(due(waiting(anchor, null), "forest")).toEqual(link(1));
        expect(due(waiting(anchor, ["a1-a2", "=HP"]), "forest")).toEqual(link(2));
        for (let time = 0; time < 2; time += 1) {
            expect(due(waiting(anchor, ["a1-a2", "=HP", "?CD", "=SS"]), "forest")).toEqual(link(3));
        }
    });
    test("reveals nothing if nothing is owed or the game is over", () => {
        const game = waiting(anchor, null);
        expect(due(nowIs(game, { owed: ["sea"] }), "forest").state).toBe("none");
        expect(due(nowIs(game, { outcome: { winner: "sea" } }), "forest").state).toBe("none");
        expect(due(proven(game, { version: 2 }), "forest").state).toBe("none");
    });
    test("reveals no link in advance", () => {
        const early = waiting(anchor, ["=HP", "?CD", "=SS"]);
        expect(due(early, "forest").state).toBe("deceived");
        due(waiting(anchor, null), "forest");
        expect(due(early, "forest").state).toBe("deceived");
        expect(due(waiting(anchor, ["=HP"]), "forest")).toEqual(link(2));
    });
    test("reveals no link if no draw is due", () => {
        due(waiting(anchor, null), "forest");
        const game = waiting(anchor, ["=HP"]);
        expect(due(nowIs(game, { phase: "action" }), "forest").state).toBe("deceived");
        expect(due(nowIs(game, { held: "forest" }), "forest").state).toBe("deceived");
    });
    test("reveals no link for the last tile, whose draw is certain", () => {
        due(waiting(anchor, null), "forest");
        expect(unknownTiles(START)).toBe(4);
        const tokens: string[] = [];
        for (const [number, tile] of ["CD", "CS", "DR"].entries()) {
            expect(due(waiting(anchor, [...tokens, "=XX"]), "forest")).toEqual(link(number + 2));
            tokens.push("=XX", `?${tile}`);
        }
        expect(due(waiting(anchor, [...tokens, "=XX"]), "forest").state).toBe("deceived");
    });
    test("does not reveal a link a second time for a different game", () => {
        due(waiting(anchor, null), "forest");
        expect(due(proven(waiting(anchor, null), { sea_number: "cd".repeat(32) }), "forest").state).toBe("deceived");
        due(waiting(anchor, ["a1-a2", "=HP"]), "forest");
        expect(due(waiting(anchor, ["a1-a2", "=SS"]), "forest").state).toBe("deceived");
        expect(due(waiting(anchor, ["a1-a2", "=HP"]), "forest")).toEqual(link(2));
    });
    test.each([{ commitment: "11".repeat(32) }, { first: "sea" }, { tossed: "forest" }])(
        "reveals nothing if the game differs from the challenge in %j",
        (change) => {
            expect(due(proven(waiting(anchor, null), change), "forest").state).toBe("deceived");
        },
    );
    test("reveals nothing for another variant or the other tribe", () => {
        expect(due({ ...waiting(anchor, null), variant: "expert" }, "forest").state).toBe("deceived");
        const swapped = proven(waiting(anchor, null), { forest_number: "ab".repeat(32), sea_number: anchor });
        expect(due(swapped, "sea").state).toBe("deceived");
    });
    test("notices that a root is missing, even before the root is needed", () => {
        const game = nowIs(waiting("cd".repeat(32), null), { owed: [] });
        expect(due(game, "forest").state).toBe("missing");
        localStorage.setItem(`cairn.root.${anchor}`, "{}");
        expect(due(waiting(anchor, null), "forest").state).toBe("missing");
    });
    test("reveals no link whose purpose it cannot store, and does not blame the server after a reload", () => {
        const full = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
            throw new DOMException("full", "QuotaExceededError");
        });
        for (let time = 0; time < 2; time += 1) {
            expect(due(waiting(anchor, null), "forest")).toEqual({ state: "unstored" });
        }
        expect(localStore.getItem(`cairn.shown.${anchor}.1`)).toBeNull();
        full.mockRestore();
        expect(due(waiting(anchor, null), "forest")).toEqual(link(1));
        expect(localStorage.getItem(`cairn.shown.${anchor}.1`)).not.toBeNull();
    });
    test("reveals a stored link again even if it cannot store anything more", () => {
        due(waiting(anchor, null), "forest");
        vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
            throw new DOMException("full", "QuotaExceededError");
        });
        expect(due(waiting(anchor, null), "forest")).toEqual(link(1));
        expect(due(waiting(anchor, ["=HP"]), "forest").state).toBe("unstored");
    });
    test("accepts a toss only if its result matches the challenger's tribe", () => {
        const open = anchorFor({ ...challenge, id: "g", commitment: "22".repeat(32), tribe: null }, false);
        const game = proven(waiting(open, null), { commitment: "22".repeat(32), tossed: "sea" });
        expect(due(game, "forest").state).toBe("link");
        expect(due(proven(game, { tossed: "forest" }), "forest").state).toBe("deceived");
    });
});

describe("storage", () => {
    test("that cannot be written to is reported before anything is sent", () => {
        vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
            throw new DOMException("full", "QuotaExceededError");
        });
        expect(requireStorage).toThrow(expect.objectContaining({ kind: "sealed-storage" }));
        expect(() => anchorFor(challenge, true)).toThrow(expect.objectContaining({ kind: "sealed-storage" }));
    });
    const now = Date.now();
    const held = (game: string, created: number): HeldRoot => ({
        ...{ game, root: "00", commitment: "c", variant: "beginner", tribe: null, first: null, made: true },
        created,
    });

    test("keeps the roots of all games that may still be running, however many there are", () => {
        for (let at = 0; at < 300; at += 1) keepRoot(`anchor-${at}`, held(`game-${at}`, now - 1000 + at));
        expect(rootFor("game-0", "c")).not.toBeNull();
    });
    test("deletes the roots of the oldest finished games, and what was shown in them", () => {
        keepRoot("running", held("running", now - 2000));
        for (let at = 0; at < 202; at += 1) {
            keepRoot(`anchor-${at}`, held(`game-${at}`, now - 1000 + at));
            localStorage.setItem(`cairn.shown.anchor-${at}.1`, "x");
        }
        for (let at = 0; at < 202; at += 1) endRoots(`game-${at}`);
        keepRoot("new", held("new", now));
        expect(["game-0", "game-1", "game-2", "running"].map((game) => rootFor(game, "c")?.game)).toEqual([
            undefined,
            undefined,
            "game-2",
            "running",
        ]);
        const shown = [1, 2].map((at) => localStorage.getItem(`cairn.shown.anchor-${at}.1`));
        expect(shown).toEqual([null, "x"]);
    });
    test("deletes roots that are older than any game", () => {
        keepRoot("long", held("long", now - 9 * 365 * 86_400_000));
        keepRoot("old", held("old", now - 11 * 365 * 86_400_000));
        keepRoot("new", held("new", now));
        expect([rootFor("long", "c")?.game, rootFor("old", "c")]).toEqual(["long", null]);
    });
    test("forgets the root of a challenge that was withdrawn", () => {
        keepRoot("one", held("one", now));
        keepRoot("other", held("other", now));
        forgetRoots("one");
        expect([rootOf("one"), rootOf("other")?.game]).toEqual([null, "other"]);
    });
});
