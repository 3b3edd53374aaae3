import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { Status, serve } from "../../test/server";
import { FakeSocket, setVisible } from "../../test/socket";
import type { GameView } from "../client";
import { backOff, connection } from "../connection.svelte";
import { dismiss, notices } from "../notices.svelte";
import { keepSeat } from "../seats";
import { HEARTBEAT, POLL, ServerGameSource, WAKE_PATIENCE } from "./server";
import type { ConnectionState, GameFollower, TableEvent } from "./source";

const last = (): FakeSocket => FakeSocket.last();
const view = (revision: number, more: object = {}): GameView =>
    ({ id: "g", kind: "local", revision, steps: [], now: { position: "p" }, you: [], ...more }) as unknown as GameView;
const tellGame = (revision = 1, more: object = {}): void => last().tell({ type: "game", game: view(revision, more) });
const update = (base: number) => ({ game: "g", base, revision: base + 1, kept: 0, steps: [], now: { position: "q" } });
const sentOf = (type: string) => FakeSocket.all.flatMap(({ sent }) => sent.filter((each) => each.type === type));

const unreachable = (): never => {
    throw new Error("unreachable");
};

function followed() {
    const source = new ServerGameSource("g");
    const states: ConnectionState[] = [];
    const revisions: number[] = [];
    const problem = vi.fn<GameFollower["problem"]>();
    const stop = source.follow({
        game: ({ revision }) => revisions.push(revision),
        connection: (state) => states.push(state),
        problem,
        failed: unreachable,
    });
    return { source, states, revisions, problem, stop };
}

beforeEach(() => {
    vi.useFakeTimers();
    localStorage.clear();
    FakeSocket.install();
});
afterEach(() => {
    for (const { id } of notices.list) dismiss(id);
    connection.succeed();
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
});

describe("following a game", () => {
    test("delivers the game first, then its updates", () => {
        const { revisions, states, stop } = followed();
        expect(last().url).toBe("ws://localhost:3000/api/games/g/socket");
        tellGame(1);
        last().tell({ type: "update", update: update(1), done: null });
        expect([revisions, states]).toEqual([
            [1, 2],
            ["connecting", "connected"],
        ]);
        stop();
        tellGame(3);
        expect(revisions).toEqual([1, 2]);
    });

    test("reconnects when a connection is dropped, and shows the banner if that fails", async () => {
        serve({ "GET /api/games/g": unreachable });
        const { states, stop } = followed();
        tellGame();
        last().close();
        expect(connection.lost).toBe(false);
        await vi.advanceTimersByTimeAsync(backOff(0));
        expect(FakeSocket.all).toHaveLength(2);
        last().close();
        await vi.advanceTimersByTimeAsync(0);
        expect([connection.lost, states.at(-1)]).toEqual([true, "lost"]);
        await vi.advanceTimersByTimeAsync(backOff(1));
        tellGame();
        expect([connection.lost, states.at(-1)]).toEqual([false, "connected"]);
        stop();
    });

    test("reports a game that does not exist, and does not retry", async () => {
        serve({ "GET /api/games/g": () => new Status(404, { kind: "unknown-game", sentence: "none", faults: [] }) });
        const { problem } = followed();
        last().close(4404);
        await vi.advanceTimersByTimeAsync(60_000);
        expect(problem).toHaveBeenCalledWith(expect.objectContaining({ kind: "unknown-game" }));
        expect(FakeSocket.all).toHaveLength(1);
    });

    test("reports that too many pages are open, but keeps reconnecting if a connection has worked before", async () => {
        const full = (): void => last().close(4429, "You have too many sockets open.");
        const fresh = followed();
        full();
        expect(fresh.problem.mock.calls.flat()).toMatchObject([{ kind: "too-many-sockets", status: 429 }]);
        await vi.advanceTimersByTimeAsync(600_000);
        expect(FakeSocket.all).toHaveLength(1);

        const { revisions, problem, stop } = followed();
        tellGame();
        last().close(1012);
        await vi.advanceTimersByTimeAsync(backOff(0));
        full();
        expect(notices.list).toMatchObject([{ text: expect.stringContaining("too many pages") as string }]);
        await vi.advanceTimersByTimeAsync(backOff(1));
        tellGame(2);
        expect([revisions, problem.mock.calls, connection.lost]).toEqual([[1, 2], [], false]);
        stop();
    });

    test("uses the early connection that the page opened, and the messages received on it", async () => {
        const socket = new FakeSocket("ws://localhost:3000/api/games/g/socket");
        socket.readyState = FakeSocket.OPEN;
        const said = (message: unknown) => ({ data: JSON.stringify(message) }) as MessageEvent<string>;
        window.cairnEarly = {
            socket: socket as unknown as WebSocket,
            heard: [said({ type: "game", game: view(1) }), said({ type: "update", update: update(1), done: null })],
        };
        const { revisions, stop } = followed();
        await Promise.resolve();
        socket.tell({ type: "update", update: update(2), done: null });
        expect(FakeSocket.all).toEqual([socket]);
        expect(revisions).toEqual([1, 2, 3]);
        stop();
    });

    test.each([
        ["belongs to another game", "h", FakeSocket.OPEN],
        ["is already closed", "g", 3],
    ])("does not use an early connection that %s", (_, id, state) => {
        const socket = new FakeSocket(`ws://localhost:3000/api/games/${id}/socket`);
        socket.readyState = state;
        window.cairnEarly = { socket: socket as unknown as WebSocket, heard: [] };
        followed().stop();
        expect(FakeSocket.all.map(({ url }) => url)).toEqual([socket.url, "ws://localhost:3000/api/games/g/socket"]);
        expect(socket.readyState).toBe(3);
    });
});

describe("a dead connection", () => {
    test("is detected by the heartbeat, even in a local game", async () => {
        const { stop } = followed();
        tellGame();
        last().tell({ type: "done", id: last().sent[0]?.id, revision: null, at: Date.now() });
        await vi.advanceTimersByTimeAsync(HEARTBEAT);
        expect(sentOf("ping")).toHaveLength(2);
        await vi.advanceTimersByTimeAsync(6_000 + backOff(0));
        expect(FakeSocket.all).toHaveLength(2);
        stop();
    });

    test.each([
        ["the page becomes visible again", () => setVisible(true)],
        ["the network comes back", () => window.dispatchEvent(new Event("online"))],
    ])("is checked immediately when %s", async (_, wake) => {
        const { stop } = followed();
        tellGame();
        last().tell({ type: "done", id: last().sent[0]?.id, revision: null, at: Date.now() });
        wake();
        expect(sentOf("ping")).toHaveLength(2);
        await vi.advanceTimersByTimeAsync(WAKE_PATIENCE + backOff(0));
        expect(FakeSocket.all).toHaveLength(2);
        stop();
    });

    test("is replaced without back-off when the page becomes visible again", async () => {
        serve({ "GET /api/games/g": unreachable });
        const { stop } = followed();
        for (let attempt = 0; attempt < 5; attempt++) {
            last().close();
            await vi.advanceTimersByTimeAsync(backOff(attempt));
        }
        last().close();
        await vi.advanceTimersByTimeAsync(0);
        const before = FakeSocket.all.length;
        setVisible(true);
        expect(FakeSocket.all).toHaveLength(before + 1);
        stop();
    });
});

describe("where sockets are blocked,", () => {
    test("the game is fetched, shown and polled", async () => {
        let revision = 4;
        serve({ "GET /api/games/g": () => view(revision) });
        const { revisions, states, stop } = followed();
        last().close();
        await vi.advanceTimersByTimeAsync(0);
        expect([revisions, states.at(-1), connection.lost]).toEqual([[4], "limited", false]);
        revision = 5;
        await vi.advanceTimersByTimeAsync(POLL);
        last().close();
        await vi.advanceTimersByTimeAsync(0);
        expect(revisions).toEqual([4, 5]);
        stop();
    });

    test("commands are sent over HTTP immediately, and their results are shown", async () => {
        const asked = serve({
            "GET /api/games/g": () => view(4),
            "POST /api/games/g/tokens": () => update(4),
        });
        const { source, revisions, stop } = followed();
        last().close();
        await vi.advanceTimersByTimeAsync(0);
        await source.play({ id: "mine", token: "a1-a2", tribe: "forest", revision: 4, hold: false });
        expect(asked.at(-1)).toMatchObject({ method: "POST", body: { id: "mine", token: "a1-a2", revision: 4 } });
        expect(revisions).toEqual([4, 5]);
        stop();
    });
});

describe("commands", () => {
    const token = { id: "mine", token: "a1-a2", tribe: "forest", revision: 1, hold: true } as const;

    test("are sent over the socket, and resolve when the game shows their results", async () => {
        const { source, revisions, stop } = followed();
        tellGame();
        const played = source.play(token).then(() => [...revisions]);
        expect(sentOf("play")).toEqual([{ type: "play", ...token, lag: 0 }]);
        last().tell({ type: "update", update: update(1), done: "mine" });
        expect(await played).toEqual([1, 2]);
        stop();
    });

    test("are resent with the same id after a reconnection", async () => {
        const { source, stop } = followed();
        tellGame();
        const played = source.play(token);
        last().close();
        await vi.advanceTimersByTimeAsync(backOff(0));
        tellGame(2);
        expect(sentOf("play").map(({ id }) => id)).toEqual(["mine", "mine"]);
        last().tell({ type: "done", id: "mine", revision: 2, at: 0 });
        await played;
        stop();
    });

    const stale = { kind: "stale-revision", sentence: "", faults: [] };

    test("are resent if the revision has changed but the position has not", async () => {
        serve({ "GET /api/games/g": () => view(2) });
        const { source, stop } = followed();
        tellGame();
        const played = source.play(token);
        last().tell({ type: "refused", id: "mine", problem: stale });
        await vi.advanceTimersByTimeAsync(0);
        expect(sentOf("play").map(({ revision }) => revision)).toEqual([1, 2]);
        last().tell({ type: "update", update: update(2), done: "mine" });
        await played;
        stop();
    });

    test("are rejected if the position has changed", async () => {
        serve({ "GET /api/games/g": () => view(2, { now: { position: "other" } }) });
        const { source, stop } = followed();
        tellGame();
        const played = expect(source.play(token)).rejects.toMatchObject({ kind: "stale-revision" });
        last().tell({ type: "refused", id: "mine", problem: stale });
        await played;
        stop();
    });
});

describe("the table channel", () => {
    const players = { forest: { online: true }, sea: { online: false } };

    test("sends the seat token and delivers table events", () => {
        keepSeat("g", { token: "secret", commitment: "", number: "" });
        const { source, stop } = followed();
        const events: TableEvent["type"][] = [];
        source.table.listen(({ type }) => events.push(type));
        tellGame(1, { kind: "online", players });
        expect(sentOf("hello")).toMatchObject([{ seat: "secret" }]);
        last().tell({ type: "chat", line: { number: 1 } });
        expect(events).toEqual(["presence", "connected", "chat"]);
        stop();
    });

    describe("resends the seat token", () => {
        const failed = { kind: "storage-failed", sentence: "", faults: [] };
        const greeting = () => sentOf("hello").at(-1)?.id;

        test("after a database error, until the server accepts the token", async () => {
            keepSeat("g", { token: "secret", commitment: "", number: "" });
            const { source, stop } = followed();
            tellGame(1, { kind: "online", players });
            for (const attempt of [0, 1, 2]) {
                expect(sentOf("hello")).toHaveLength(attempt + 1);
                last().tell({ type: "refused", id: greeting(), problem: failed });
                await vi.advanceTimersByTimeAsync(backOff(attempt));
            }
            expect(sentOf("hello")).toHaveLength(4);
            expect(sentOf("hello").every(({ seat }) => seat === "secret")).toBe(true);
            tellGame(1, { kind: "online", players, you: ["sea"] });
            last().tell({ type: "done", id: greeting(), revision: null, at: 0 });
            await vi.advanceTimersByTimeAsync(HEARTBEAT);
            expect(sentOf("hello")).toHaveLength(4);
            expect(source.id).toBe("g");
            stop();
        });

        test("over a new connection, if the server did not answer over the old one", async () => {
            serve({ "GET /api/games/g": () => view(1) });
            keepSeat("g", { token: "secret", commitment: "", number: "" });
            const { stop } = followed();
            tellGame(1, { kind: "online", players });
            last().close();
            await vi.advanceTimersByTimeAsync(backOff(0));
            tellGame(1, { kind: "online", players });
            expect(FakeSocket.all.map(({ sent }) => sent.filter(({ type }) => type === "hello").length)).toEqual([
                1, 1,
            ]);
            last().tell({ type: "done", id: greeting(), revision: null, at: 0 });
            stop();
        });

        test("before the commands that are waiting for a new connection", async () => {
            serve({ "GET /api/games/g": () => view(1) });
            keepSeat("g", { token: "secret", commitment: "", number: "" });
            const { source, stop } = followed();
            tellGame(1, { kind: "online", players });
            void source.table.resign();
            last().close();
            await vi.advanceTimersByTimeAsync(backOff(0));
            tellGame(1, { kind: "online", players });
            expect(last().sent.map(({ type }) => type)).toEqual(["hello", "resign"]);
            stop();
        });

        test("never, if the token was wrong", async () => {
            keepSeat("g", { token: "secret", commitment: "", number: "" });
            const { stop } = followed();
            tellGame(1, { kind: "online", players });
            last().tell({ type: "refused", id: greeting(), problem: { ...failed, kind: "wrong-seat-token" } });
            await vi.advanceTimersByTimeAsync(HEARTBEAT);
            expect(sentOf("hello")).toHaveLength(1);
            stop();
        });
    });

    test("delivers nothing for a local game", () => {
        const { source, stop } = followed();
        const listener = vi.fn();
        source.table.listen(listener);
        tellGame();
        expect(listener).not.toHaveBeenCalled();
        stop();
    });
});
