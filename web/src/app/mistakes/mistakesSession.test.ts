import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { GameSummary } from "../../lib/client";
import { EMPTY_MODULE, FakeWorker } from "../../test/worker";
import { MistakesSession } from "./mistakesSession.svelte";

vi.mock("../../lib/mistakes", () => ({
    lessons: () => Promise.resolve({ open: [], learnt: 0, unreviewed: [] }),
    keepMistakes: () => Promise.resolve(),
}));

let session: MistakesSession;
/** The games whose records have been requested. */
let requested: string[];
/** Delivers the record that was requested last. */
let deliver: () => void;

beforeEach(() => {
    FakeWorker.install();
    requested = [];
    vi.stubGlobal("fetch", (address: URL | string) => {
        if (String(address).endsWith(".wasm")) return Promise.resolve(new Response(EMPTY_MODULE));
        requested.push(String(address));
        return new Promise((resolve) => (deliver = () => resolve(new Response("1 F a1-a2 *"))));
    });
    session = new MistakesSession();
    session.unreviewed = [{ id: "one" }, { id: "two" }] as GameSummary[];
});

afterEach(() => {
    session.close();
    vi.unstubAllGlobals();
});

test.each([
    ["cancelled", () => session.cancel()],
    ["left", () => session.close()],
])("a search that is %s while a game loads leaves no worker behind, and goes on to no other game", async (_, stop) => {
    const found = session.find();
    stop();
    deliver();
    await found;
    expect(FakeWorker.alive).toEqual([]);
    expect([session.search, requested.length]).toEqual([null, 1]);
});

test("a search that replaces a cancelled one goes on", async () => {
    const first = session.find();
    const deliverFirst = deliver;
    session.cancel();
    void session.find();
    deliverFirst();
    await first;
    expect(session.search).toEqual({ game: 1, of: 2, share: 0 });
});
