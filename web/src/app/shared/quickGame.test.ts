import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { me } from "../../lib/me.svelte";
import type { ChallengeView } from "../../lib/online";
import { navigate, router } from "../../lib/router.svelte";
import { settings } from "../../lib/settings.svelte";
import { challenge } from "../../test/challenge";
import { serve, Status, type Asked } from "../../test/server";
import { FakeSocket } from "../../test/socket";
import { QUICK_CLOCK, quickGame, quickMatches } from "./quickGame.svelte";

const NOW = Date.now();
const ago = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString();
const open: ChallengeView = {
    ...challenge,
    open: true,
    ready: true,
    rated: false,
    sealed: false,
    yours: false,
    variant: "beginner",
    clock: QUICK_CLOCK,
    created: ago(1),
};

beforeEach(() => {
    localStorage.clear();
    FakeSocket.install();
    me.set({ player: { id: "me", kind: "guest", name: null }, admin: false, muted: false });
    navigate("/");
});
afterEach(async () => {
    serve({ [`DELETE /api/challenges/${open.id}`]: () => undefined, "DELETE /api/challenges/own": () => undefined });
    await quickGame.cancel();
    vi.useRealTimers();
    me.set(null);
    settings.newGame.variant = "beginner";
    vi.unstubAllGlobals();
});

const paths = (asked: Asked[]) => asked.map(({ method, path }) => `${method} ${path}`);

test("only casual real-time games with familiar megaliths match, best first", () => {
    const listed: ChallengeView[] = [
        { ...open, id: "rated", rated: true },
        { ...open, id: "sealed", sealed: true },
        { ...open, id: "own", yours: true },
        { ...open, id: "fast", clock: { kind: "real-time", initial: 180_000, increment: 5_000 } },
        { ...open, id: "slow", clock: { kind: "correspondence", days: 1 } },
        { ...open, id: "unlimited", clock: null },
        { ...open, id: "forgotten", created: ago(60) },
        { ...open, id: "expert", variant: "expert" },
        { ...open, id: "easier" },
        { ...open, id: "newer", variant: "standard", created: ago(1) },
        { ...open, id: "older", variant: "standard", created: ago(9) },
    ];
    expect(quickMatches(listed, "standard", NOW).map(({ id }) => id)).toEqual(["older", "newer", "easier"]);
    expect(quickMatches(listed, "beginner", NOW).map(({ id }) => id)).toEqual(["easier"]);
});

test("accepts a waiting challenge, or the next one if somebody else was faster", async () => {
    const gone = new Status(409, { kind: "challenge-gone", sentence: "", faults: [] });
    const asked = serve({
        "GET /api/lobby": () => ({
            challenges: [
                { ...open, id: "a", created: ago(2) },
                { ...open, id: "b" },
            ],
        }),
        "POST /api/challenges/a/accept": () => gone,
        "POST /api/challenges/b/accept": () => ({ seat: "s" }),
    });
    await quickGame.start();
    expect(paths(asked)).toEqual(["GET /api/lobby", "POST /api/challenges/a/accept", "POST /api/challenges/b/accept"]);
    expect(router.url.pathname).toBe("/game/b");
});

function serveOwn(listed: ChallengeView[] = []): Asked[] {
    const own = { ...open, id: "own", yours: true };
    return serve({
        "GET /api/lobby": () => ({ challenges: listed }),
        "POST /api/challenges": () => ({ challenge: own, invite: "i", seat: "s" }),
        "PUT /api/challenges/own/number": () => own,
        "DELETE /api/challenges/own": () => undefined,
        "POST /api/challenges/theirs/accept": () => ({ seat: "s" }),
    });
}

test("opens a challenge if nobody is waiting, and opens the game when it starts", async () => {
    const asked = serveOwn();
    await quickGame.start();
    const body = { variant: "beginner", tribe: null, clock: QUICK_CLOCK, rated: false, open: true };
    expect(asked.find(({ path }) => path === "/api/challenges")?.body).toEqual(body);
    expect(quickGame.waiting?.id).toBe("own");
    const socket = FakeSocket.all.find(({ url }) => url.endsWith("/challenges/own/socket"));
    socket?.tell({ challenge: { ...open, id: "own", state: "accepted", game: "own" } });
    expect(router.url.pathname).toBe("/game/own");
    expect(quickGame.waiting).toBeNull();
});

test("can be cancelled", async () => {
    const asked = serveOwn();
    await quickGame.start();
    await quickGame.cancel();
    expect(quickGame.waiting).toBeNull();
    expect(paths(asked)).toContain("DELETE /api/challenges/own");
});

test("a newer challenge is accepted after a moment, because its creator does not accept ours", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    serveOwn();
    await quickGame.start();
    const lobby = FakeSocket.all.find(({ url }) => url.endsWith("/lobby/socket"));
    lobby?.tell({ type: "lobby", challenges: [{ ...open, id: "theirs", created: ago(0) }] });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(quickGame.waiting?.id).toBe("own");
    await vi.advanceTimersByTimeAsync(3_000);
    expect(router.url.pathname).toBe("/game/theirs");
});

test("if two players search at the same time, the one with the newer challenge accepts the older one", async () => {
    const asked = serveOwn();
    await quickGame.start();
    const lobby = FakeSocket.all.find(({ url }) => url.endsWith("/lobby/socket"));
    const newer = { ...open, id: "newer", created: ago(0) };
    lobby?.tell({ type: "lobby", challenges: [newer] });
    expect(quickGame.waiting?.id).toBe("own");
    lobby?.tell({ type: "change", challenges: [{ ...open, id: "theirs", created: ago(3) }], gone: [] });
    await vi.waitFor(() => expect(router.url.pathname).toBe("/game/theirs"));
    expect(paths(asked).slice(-2)).toEqual(["DELETE /api/challenges/own", "POST /api/challenges/theirs/accept"]);
});
