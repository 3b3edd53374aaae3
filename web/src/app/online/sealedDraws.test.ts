import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { ApiProblem, type GameView } from "../../lib/client";
import { dismiss, notices } from "../../lib/notices.svelte";
import { anchorFor } from "../../lib/sealed/anchor";
import { UNKNOWN_START } from "../../lib/sealed/links";
import { challenge } from "../../test/challenge";
import { SealedDraws } from "./sealedDraws.svelte";

const refusal = (kind: string): ApiProblem => new ApiProblem(kind, "", 409);

function sealedGame(revision: number): GameView {
    const sealed = { ...challenge, sealed: true, id: "g", tribe: "forest" as const };
    const anchor = anchorFor(sealed, true);
    const proof = {
        version: 3,
        commitment: challenge.commitment,
        forest_number: anchor,
        sea_number: "ab",
        first: null,
    };
    const now = { phase: "draw", held: null, outcome: null, owed: ["forest", "sea"] };
    const game = { id: "g", revision, variant: challenge.variant, start: UNKNOWN_START, steps: [], now, proof };
    return game as unknown as GameView;
}

beforeEach(() => {
    localStorage.clear();
    vi.useFakeTimers();
});
afterEach(() => {
    for (const { id } of notices.list) dismiss(id);
    vi.useRealTimers();
});

test("a link is sent once, even if the game changes while the request is in flight", () => {
    const reveal = vi.fn(() => new Promise<void>(() => undefined));
    const draws = new SealedDraws({ reveal });
    for (const revision of [1, 2, 3]) draws.follow(sealedGame(revision), "forest");
    expect(reveal).toHaveBeenCalledTimes(1);
});

test.each(["no-link-due", "game-over"])("a link already revealed by another tab is fine (%s)", async (kind) => {
    const reveal = vi.fn(() => Promise.reject(refusal(kind)));
    const draws = new SealedDraws({ reveal });
    draws.follow(sealedGame(1), "forest");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reveal).toHaveBeenCalledTimes(1);
    expect([notices.list, draws.problem]).toEqual([[], null]);
});

test("a link is sent again if the server could not store it", async () => {
    const reveal = vi.fn<() => Promise<void>>().mockRejectedValueOnce(refusal("storage-failed")).mockResolvedValue();
    const draws = new SealedDraws({ reveal });
    draws.follow(sealedGame(1), "forest");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reveal).toHaveBeenCalledTimes(2);
    expect(new Set(reveal.mock.calls.map(String)).size).toBe(1);
});

test("nothing is sent after the player has left the page", async () => {
    const reveal = vi.fn(() => Promise.reject(refusal("storage-failed")));
    const draws = new SealedDraws({ reveal });
    draws.follow(sealedGame(1), "forest");
    await vi.advanceTimersByTimeAsync(0);
    draws.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reveal).toHaveBeenCalledTimes(1);
});

test("a browser without the root says so and sends nothing", () => {
    const reveal = vi.fn(() => Promise.resolve());
    const draws = new SealedDraws({ reveal });
    const game = sealedGame(1);
    localStorage.clear();
    draws.follow(game, "forest");
    expect([draws.problem, reveal.mock.calls]).toEqual(["missing", []]);
});

test("a link that cannot be stored is not sent until there is space again", async () => {
    const reveal = vi.fn(() => Promise.resolve());
    const draws = new SealedDraws({ reveal });
    const game = sealedGame(1);
    const full = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
        throw new DOMException("full", "QuotaExceededError");
    });
    draws.follow(game, "forest");
    await vi.advanceTimersByTimeAsync(60_000);
    expect([draws.problem, reveal.mock.calls]).toEqual(["unstored", []]);
    full.mockRestore();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(draws.problem).toBeNull();
    expect(reveal).toHaveBeenCalledTimes(1);
});
