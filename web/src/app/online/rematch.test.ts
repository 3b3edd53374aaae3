import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { me } from "../../lib/me.svelte";
import { dismiss, notices } from "../../lib/notices.svelte";
import type { ChallengeView } from "../../lib/online";
import { navigate, router } from "../../lib/router.svelte";
import { serve } from "../../test/server";
import { FakeSocket } from "../../test/socket";
import { RematchOffer } from "./rematch.svelte";

const challenge = { id: "c", state: "open", game: null, yours: false, ready: true, commitment: "0" } as ChallengeView;

beforeEach(() => {
    localStorage.clear();
    FakeSocket.install();
    me.set({ player: { id: "b", kind: "account", name: "Ben" }, admin: false, muted: false });
    navigate("/game/g");
});
afterEach(() => {
    me.set(null);
    for (const { id } of notices.list) dismiss(id);
    vi.unstubAllGlobals();
});

test("finds the other player's offer and opens the game when it starts", async () => {
    serve({ "GET /api/games/g/rematch": () => ({ challenges: [challenge] }) });
    const offer = new RematchOffer("g", false);
    await offer.look();
    await offer.look(); // the offer is announced twice
    expect(offer.challenge?.id).toBe("c");
    expect(FakeSocket.all.map(({ url }) => url)).toEqual(["ws://localhost:3000/api/challenges/c/socket"]);
    FakeSocket.last().tell({ challenge: { ...challenge, state: "accepted", game: "next" } });
    expect(router.url.pathname).toBe("/game/next");
    expect(FakeSocket.last().readyState).toBe(3);
});

test("opens the game when the other player accepts this player's offer", async () => {
    const yours = { ...challenge, yours: true };
    serve({
        "POST /api/games/g/rematch": () => ({ challenge: yours, invite: "i", seat: "s" }),
        "PUT /api/challenges/c/number": () => yours,
    });
    const offer = new RematchOffer("g", false);
    await offer.offer();
    expect(offer.challenge?.yours).toBe(true);
    FakeSocket.last().tell({ challenge: { ...yours, state: "accepted", game: "next" } });
    expect(router.url.pathname).toBe("/game/next");
});

test("removes a withdrawn offer", async () => {
    serve({ "GET /api/games/g/rematch": () => ({ challenges: [challenge] }) });
    const offer = new RematchOffer("g", false);
    await offer.look();
    FakeSocket.last().tell({ challenge: { ...challenge, state: "withdrawn" } });
    expect(offer.challenge).toBeNull();
    expect(FakeSocket.last().readyState).toBe(3);
    expect(notices.list).toEqual([]);
});

test("the player who offered a rematch is notified that it was declined", async () => {
    const yours = { ...challenge, yours: true };
    serve({
        "POST /api/games/g/rematch": () => ({ challenge: yours, invite: "i", seat: "s" }),
        "PUT /api/challenges/c/number": () => yours,
    });
    const offer = new RematchOffer("g", false);
    await offer.offer();
    FakeSocket.last().tell({ challenge: { ...yours, state: "withdrawn" } });
    expect(offer.challenge).toBeNull();
    expect(notices.list.map(({ text }) => text)).toEqual(["Your rematch offer was declined."]);
});
