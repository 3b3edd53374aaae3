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

describe("following", () => {
    test("the game comes first, then what changes", () => {
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

    test("a cut connection is taken up again, and the banner shown if it does not come back", async () => {
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

    test("a game that does not exist is reported, and not asked for again", async () => {
        serve({ "GET /api/games/g": () => new Status(404, { kind: "unknown-game", sentence: "none", faults: [] }) });
        const { problem } = followed();
        last().close(4404);
        await vi.advanceTimersByTimeAsync(60_000);
        expect(problem).toHaveBeenCalledWith(expect.objectContaining({ kind: "unknown-game" }));
        expect(FakeSocket.all).toHaveLength(1);
    });

    test("too many open pages are reported; a page that worked before comes back", async () => {
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
        expect(notices.list).toMatchObject([{ text: expect.stringContaining("Too many pages") as string }]);
        await vi.advanceTimersByTimeAsync(backOff(1));
        tellGame(2);
        expect([revisions, problem.mock.calls, connection.lost]).toEqual([[1, 2], [], false]);
        stop();
    });

    test("the connection that was opened with the page is used, with what it said meanwhile", async () => {
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
        ["another game", "h", FakeSocket.OPEN],
        ["nobody any more", "g", 3],
    ])("a connection that was opened with the page and leads to %s is closed", (_, id, state) => {
        const socket = new FakeSocket(`ws://localhost:3000/api/games/${id}/socket`);
        socket.readyState = state;
        window.cairnEarly = { socket: socket as unknown as WebSocket, heard: [] };
        followed().stop();
        expect(FakeSocket.all.map(({ url }) => url)).toEqual([socket.url, "ws://localhost:3000/api/games/g/socket"]);
        expect(socket.readyState).toBe(3);
    });
});

describe("a connection that is dead without knowing it", () => {
    test("is found by the heartbeat, in local games, too", async () => {
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
        ["the page is looked at again", () => setVisible(true)],
        ["the network comes back", () => window.dispatchEvent(new Event("online"))],
    ])("is checked at once when %s", async (_, wake) => {
        const { stop } = followed();
        tellGame();
        last().tell({ type: "done", id: last().sent[0]?.id, revision: null, at: Date.now() });
        wake();
        expect(sentOf("ping")).toHaveLength(2);
        await vi.advanceTimersByTimeAsync(WAKE_PATIENCE + backOff(0));
        expect(FakeSocket.all).toHaveLength(2);
        stop();
    });

    test("is not waited for: a page that is looked at again connects at once", async () => {
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

describe("where sockets are blocked", () => {
    test("the game that was fetched is shown, and fetched again and again", async () => {
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

    test("commands go by HTTP at once, and their answers are shown", async () => {
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

    test("go over the socket, and are done when the game shows it", async () => {
        const { source, revisions, stop } = followed();
        tellGame();
        const played = source.play(token).then(() => [...revisions]);
        expect(sentOf("play")).toEqual([{ type: "play", ...token, lag: 0 }]);
        last().tell({ type: "update", update: update(1), done: "mine" });
        expect(await played).toEqual([1, 2]);
        stop();
    });

    test("are sent again with the same id after a reconnection", async () => {
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

    test("a token is sent again if the game has only been talked about", async () => {
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

    test("a token is refused if the position is another one", async () => {
        serve({ "GET /api/games/g": () => view(2, { now: { position: "other" } }) });
        const { source, stop } = followed();
        tellGame();
        const played = expect(source.play(token)).rejects.toMatchObject({ kind: "stale-revision" });
        last().tell({ type: "refused", id: "mine", problem: stale });
        await played;
        stop();
    });
});

describe("the table of an online game", () => {
    const players = { forest: { online: true }, sea: { online: false } };

    test("the seat is taken by its token, and the table heard", () => {
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

    test("a local game has nothing to say there", () => {
        const { source, stop } = followed();
        const heard = vi.fn();
        source.table.listen(heard);
        tellGame();
        expect(heard).not.toHaveBeenCalled();
        stop();
    });
});
