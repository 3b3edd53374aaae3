import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { ApiProblem, type GameView, type Update } from "../client";
import { PATIENCE, Replica } from "./replica";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const game = (revision: number, id = "g"): GameView => ({ id, revision, steps: [], now: {} }) as unknown as GameView;
const update = (base: number, revision = base + 1): Update =>
    ({ game: "g", base, revision, kept: 0, steps: [], now: {} }) as unknown as Update;

interface Fetch {
    answer: (game: GameView) => void;
    fail: (problem: unknown) => void;
}

/** Create a replica. The test has to answer its `fetches`. `seen` lists the revisions that the replica has had. */
function made() {
    const fetches: Fetch[] = [];
    const seen: number[] = [];
    const replica = new Replica({
        fetch: () => new Promise((answer, fail) => fetches.push({ answer, fail })),
        changed: ({ revision }) => seen.push(revision),
        now: () => 0,
    });
    return { replica, fetches, seen, settle: () => vi.advanceTimersByTimeAsync(0) };
}

describe("updates", () => {
    test("continue the game, and are applied only once if they arrive twice", () => {
        const { replica, fetches, seen } = made();
        replica.replace(game(1));
        for (const each of [update(1), update(1), update(2)]) replica.update(each);
        expect([seen, fetches.length]).toEqual([[1, 2, 3], 0]);
    });

    test("trigger a fetch of the whole game if an earlier update is missing", async () => {
        const { replica, fetches, seen, settle } = made();
        replica.replace(game(1));
        replica.update(update(3));
        replica.update(update(3));
        expect(fetches).toHaveLength(1);
        fetches[0]?.answer(game(4));
        await settle();
        expect(seen).toEqual([1, 4]);
    });

    test("that arrive during a fetch are applied after it", async () => {
        const { replica, fetches, seen, settle } = made();
        replica.replace(game(1));
        void replica.refresh();
        replica.update(update(1));
        replica.update(update(2));
        fetches[0]?.answer(game(2)); // includes the first update
        await settle();
        expect(seen).toEqual([1, 2, 3]);
        expect(fetches).toHaveLength(1);
    });

    test("trigger further fetches until no update is missing", async () => {
        const { replica, fetches, seen } = made();
        replica.replace(game(1));
        replica.update(update(4));
        fetches[0]?.answer(game(3)); // from a process that lags behind
        await vi.advanceTimersByTimeAsync(1_000);
        expect(fetches).toHaveLength(2);
        fetches[1]?.answer(game(4));
        await vi.advanceTimersByTimeAsync(0);
        expect(seen).toEqual([1, 3, 4, 5]);
    });

    test("are not lost when the fetch fails", async () => {
        const { replica, fetches, seen } = made();
        replica.replace(game(1));
        replica.update(update(2));
        fetches[0]?.fail(new ApiProblem("unexpected", "", 503));
        await vi.advanceTimersByTimeAsync(10_000);
        expect(fetches).toHaveLength(2);
        fetches[1]?.answer(game(3));
        await vi.advanceTimersByTimeAsync(0);
        expect(seen).toEqual([1, 3]);
        replica.update(update(3));
        expect(seen).toEqual([1, 3, 4]);
    });

    test("for a game that no longer exists are dropped", async () => {
        const { replica, fetches } = made();
        replica.replace(game(1));
        replica.update(update(2));
        fetches[0]?.fail(new ApiProblem("deleted-game", "", 410));
        await vi.advanceTimersByTimeAsync(60_000);
        expect(fetches).toHaveLength(1);
    });
});

describe("a lower revision", () => {
    test("is accepted from a new connection, because a backup may have been restored", () => {
        const { replica, seen } = made();
        replica.replace(game(9));
        replica.replace(game(4));
        replica.update(update(4));
        expect(seen).toEqual([9, 4, 5]);
    });

    test("is accepted from a fetch only if a second fetch confirms it, because a process may lag behind", async () => {
        const { replica, fetches, seen } = made();
        replica.replace(game(9));
        const first = replica.refresh();
        fetches[0]?.answer(game(8));
        await vi.advanceTimersByTimeAsync(1_000);
        expect(seen).toEqual([9]);
        fetches[1]?.answer(game(9));
        await first;
        const second = replica.refresh();
        for (const [index] of [2, 3].entries()) {
            fetches[2 + index]?.answer(game(4));
            await vi.advanceTimersByTimeAsync(1_000);
        }
        await second;
        expect(seen).toEqual([9, 9, 4]);
    });

    test("is ignored if a new connection delivered the game during the fetch", async () => {
        const { replica, fetches, seen, settle } = made();
        replica.replace(game(3));
        void replica.refresh();
        replica.replace(game(5));
        fetches[0]?.answer(game(4));
        await settle();
        expect(seen).toEqual([3, 5]);
    });
});

describe("waiting for a revision", () => {
    test("ends when the update arrives", async () => {
        const { replica, fetches } = made();
        replica.replace(game(1));
        const reached = replica.reached(2);
        replica.update(update(1));
        await reached;
        expect(fetches).toHaveLength(0);
    });

    test("fetches the game when the update does not arrive", async () => {
        const { replica, fetches } = made();
        replica.replace(game(1));
        const reached = replica.reached(2);
        await vi.advanceTimersByTimeAsync(PATIENCE);
        fetches[0]?.answer(game(2));
        await reached;
        expect(replica.game?.revision).toBe(2);
    });
});
