import { afterEach, expect, test } from "vitest";

import type { GameView } from "../../lib/client";
import { dismiss, notices } from "../../lib/notices.svelte";
import { offerEnd } from "./offers";
import { OfferWatch } from "./offerWatch";
import type { OnlineTable } from "./table.svelte";

afterEach(() => {
    for (const { id } of notices.list) dismiss(id);
});

const step = { token: "a1-a2" };
const game = (offers: object[], steps: object[] = [step], outcome: object | null = null): GameView =>
    ({ steps, now: { offers, outcome } }) as unknown as GameView;
const draw = { by: "forest", what: "draw", tokens: 0 };
const takeback = { by: "forest", what: "takeback", tokens: 1 };

test("an offer that disappears while nothing else changes was declined", () => {
    expect(offerEnd(game([draw]), game([]), ["forest"])).toEqual({ what: "draw", how: "declined" });
    expect(offerEnd(game([takeback]), game([]), ["forest"])).toEqual({ what: "takeback", how: "declined" });
});

test("an offer lapses when the game goes on", () => {
    expect(offerEnd(game([draw]), game([], [step, step]), ["forest"])).toEqual({ what: "draw", how: "lapsed" });
});

test("accepted offers, open offers and the opponent's offers are not reported", () => {
    expect(offerEnd(game([draw]), game([], [step], { winner: null }), ["forest"])).toBeNull();
    expect(offerEnd(game([takeback]), game([], []), ["forest"])).toBeNull();
    expect(offerEnd(game([draw]), game([draw]), ["forest"])).toBeNull();
    expect(offerEnd(game([draw]), game([]), ["sea"])).toBeNull();
});

test("players are notified if their offer is declined, but not if they withdraw it", () => {
    const table = { withdrawing: false } as OnlineTable;
    const watch = new OfferWatch(table);
    for (const state of [game([draw]), game([])]) watch.see(state, ["forest"]);
    expect(notices.list.map(({ text }) => text)).toEqual(["Your draw offer was declined."]);
    for (const { id } of notices.list) dismiss(id);
    watch.see(game([takeback]), ["forest"]);
    table.withdrawing = true;
    watch.see(game([]), ["forest"]);
    expect(notices.list).toEqual([]);
    for (const state of [game([takeback]), game([])]) watch.see(state, ["forest"]);
    expect(notices.list.map(({ text }) => text)).toEqual(["Your takeback request was declined."]);
});
