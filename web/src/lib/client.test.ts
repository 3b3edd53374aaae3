import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { Status, serve } from "../test/server";
import { ApiProblem, api, REQUEST_TIMEOUT, updated, type GameView, type Update } from "./client";
import { backOff, connection } from "./connection.svelte";
import { problemText } from "./problems";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
    connection.succeed();
    vi.useRealTimers();
    vi.unstubAllGlobals();
});

async function refused(promise: Promise<unknown>): Promise<ApiProblem> {
    const error: unknown = await promise.then(
        () => undefined,
        (reason: unknown) => reason,
    );
    if (!(error instanceof ApiProblem)) throw new Error("the request was not refused");
    return error;
}

describe("requests", () => {
    test("have the right path and query", async () => {
        const asked = serve({
            "GET /api/games": () => ({ games: [], total: 0 }),
            "POST /api/games/a%2Fb/restore": () => undefined,
        });
        await api.games({ search: "anna", state: "running", variant: undefined, limit: 5 });
        await api.restoreGame("a/b");
        expect(Object.fromEntries(asked[0]?.query ?? [])).toEqual({ search: "anna", state: "running", limit: "5" });
        expect(asked[1]).toMatchObject({ method: "POST", path: "/api/games/a%2Fb/restore" });
    });

    test("throw the server's problem if they are refused", async () => {
        const faults = [{ kind: "row-count", field: "shamans", sentence: "…" }];
        serve({ "POST /api/positions/line": () => new Status(422, { kind: "malformed", sentence: "no", faults }) });
        const problem = await refused(api.line("x"));
        expect(problem).toMatchObject({ kind: "malformed", status: 422, faults });
        expect(problemText(problem)).toBe("This cannot be read.");
    });

    test("throw an unexpected problem if a proxy responds instead of the server", async () => {
        vi.stubGlobal("fetch", async () => new Response("<h1>Bad Gateway</h1>", { status: 502 }));
        expect(await refused(api.game("x"))).toMatchObject({ kind: "unexpected", status: 502 });
    });
});

describe("a lost connection", () => {
    test("makes an unanswered request time out", async () => {
        const never = (_: string, { signal }: RequestInit) =>
            new Promise((_answer, fail) => signal?.addEventListener("abort", () => fail(new DOMException("aborted"))));
        vi.stubGlobal("fetch", never);
        const answer = refused(api.game("x"));
        await vi.advanceTimersByTimeAsync(REQUEST_TIMEOUT);
        expect(await answer).toMatchObject({ kind: "offline" });
        expect(connection.lost).toBe(true);
    });

    test("is reported, and probed with back-off until it is restored", async () => {
        let reachable = false;
        let attempts = 0;
        vi.stubGlobal("fetch", async () => {
            attempts += 1;
            if (!reachable) throw new TypeError("fetch failed");
            return Response.json({});
        });
        expect(await refused(api.game("x"))).toMatchObject({ kind: "offline", status: 0 });
        expect(connection.lost).toBe(true);
        await vi.advanceTimersByTimeAsync(backOff(0) + backOff(1) + 10);
        expect(attempts).toBe(3);
        reachable = true;
        await vi.advanceTimersByTimeAsync(backOff(2));
        expect(connection.lost).toBe(false);
        await vi.advanceTimersByTimeAsync(60_000);
        expect(attempts).toBe(4);
    });

    test("is probed at intervals that double up to a limit", () => {
        expect([0, 1, 2, 3].map(backOff)).toEqual([500, 1000, 2000, 4000]);
        expect(backOff(50)).toBe(10_000);
    });
});

describe("an update", () => {
    const game = { id: "g", revision: 4, steps: ["a", "b", "c"], now: "then" } as unknown as GameView;
    const update = { game: "g", base: 4, revision: 6, kept: 1, steps: ["d"], now: "now" } as unknown as Update;

    test("keeps the first steps and appends the new ones", () => {
        expect(updated(game, update, 3_000)).toMatchObject({
            revision: 6,
            steps: ["a", "d"],
            now: "now",
            changed: "1970-01-01T00:00:03.000Z", // the server's time, not this device's
        });
    });

    test("for another revision or another game is rejected", () => {
        expect(updated(game, { ...update, base: 3 }, 0)).toBeNull();
        expect(updated(game, { ...update, game: "h" }, 0)).toBeNull();
    });
});
