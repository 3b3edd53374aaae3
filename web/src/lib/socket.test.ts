import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { Status, serve } from "../test/server";
import { backOff, connection } from "./connection.svelte";
import { follow } from "./follow";
import { dismiss, notices } from "./notices.svelte";
import { watchGame, type GameSocketHandlers, type SocketState } from "./socket";

class FakeSocket {
    static readonly CONNECTING = 0;
    static readonly OPEN = 1;
    static all: FakeSocket[] = [];
    readyState = FakeSocket.CONNECTING;
    onmessage: ((event: { data: string }) => void) | null = null;
    onclose: ((event: { code: number; reason: string }) => void) | null = null;

    constructor(readonly url: string) {
        FakeSocket.all.push(this);
    }

    tell(message: unknown): void {
        this.readyState = FakeSocket.OPEN;
        this.onmessage?.({ data: JSON.stringify(message) });
    }

    close(code = 1006, reason = ""): void {
        this.readyState = 3;
        this.onclose?.({ code, reason });
    }
}

const last = (): FakeSocket => {
    const socket = FakeSocket.all.at(-1);
    if (!socket) throw new Error("no socket was opened");
    return socket;
};

const noted = () => ({
    game: vi.fn<GameSocketHandlers["game"]>(),
    update: vi.fn<GameSocketHandlers["update"]>(),
    state: vi.fn<(state: SocketState) => void>(),
    problem: vi.fn<GameSocketHandlers["problem"]>(),
});
let handlers: ReturnType<typeof noted>;

beforeEach(() => {
    vi.useFakeTimers();
    FakeSocket.all = [];
    vi.stubGlobal("WebSocket", FakeSocket);
    handlers = noted();
});
afterEach(() => {
    for (const { id } of notices.list) dismiss(id);
    connection.succeed();
    vi.useRealTimers();
    vi.unstubAllGlobals();
});

test("the game comes first, then what changes", () => {
    const stop = watchGame("a b", handlers);
    expect(last().url).toBe("ws://localhost:3000/api/games/a%20b/socket");
    last().tell({ type: "game", game: { id: "a b" } });
    last().tell({ type: "update", update: { revision: 2 }, done: null });
    expect(handlers.game).toHaveBeenCalledWith({ id: "a b" });
    expect(handlers.update).toHaveBeenCalledWith({ revision: 2 });
    stop();
    expect(handlers.state.mock.calls.flat()).toEqual(["connecting", "open", "closed"]);
});

test("an update that answers a command is that, too, once the game shows it", () => {
    const order: unknown[] = [];
    const stop = watchGame("g", {
        ...handlers,
        update: (update) => order.push(update),
        message: (message) => order.push(message),
    });
    last().tell({ type: "game", game: {} });
    last().tell({ type: "update", update: { revision: 2 }, done: "mine" });
    expect(order).toEqual([{ revision: 2 }, { type: "done", id: "mine", revision: 2 }]);
    stop();
});

test("a cut connection is taken up again, later and later, and told if it does not come back", async () => {
    serve({ "GET /api/games/g": () => ({}) });
    const stop = watchGame("g", handlers);
    last().tell({ type: "game", game: {} });
    last().close();
    expect(connection.lost).toBe(false);
    await vi.advanceTimersByTimeAsync(backOff(0));
    expect(FakeSocket.all).toHaveLength(2);
    last().close();
    await vi.advanceTimersByTimeAsync(0);
    expect(connection.lost).toBe(true);
    await vi.advanceTimersByTimeAsync(backOff(1));
    expect(FakeSocket.all).toHaveLength(3);
    last().tell({ type: "game", game: {} });
    expect(connection.lost).toBe(false);
    stop();
});

test("a game that does not exist is told, and not asked for again", async () => {
    serve({ "GET /api/games/g": () => new Status(404, { kind: "unknown-game", sentence: "none", faults: [] }) });
    watchGame("g", handlers);
    last().close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(handlers.problem).toHaveBeenCalledWith(expect.objectContaining({ kind: "unknown-game" }));
    expect(FakeSocket.all).toHaveLength(1);
});

test("nothing is heard after it was stopped", () => {
    const stop = watchGame("g", handlers);
    const socket = last();
    stop();
    socket.tell({ type: "game", game: {} });
    expect(handlers.game).not.toHaveBeenCalled();
});

test("a connection that was begun with the page is taken over, with what was said on it", async () => {
    const socket = new FakeSocket("ws://localhost:3000/api/games/a/socket");
    socket.readyState = FakeSocket.OPEN;
    const said = (message: unknown) => ({ data: JSON.stringify(message) }) as MessageEvent<string>;
    window.cairnEarly = {
        socket: socket as unknown as WebSocket,
        heard: [
            said({ type: "game", game: { id: "a" } }),
            said({ type: "update", update: { revision: 2 }, done: null }),
        ],
    };
    const stop = watchGame("a", handlers);
    await Promise.resolve();
    socket.tell({ type: "update", update: { revision: 3 }, done: null });
    expect(FakeSocket.all).toEqual([socket]);
    expect(handlers.game.mock.calls).toEqual([[{ id: "a" }]]);
    expect(handlers.update.mock.calls).toEqual([[{ revision: 2 }], [{ revision: 3 }]]);
    stop();
});

test.each([
    ["another game", "b", FakeSocket.OPEN],
    ["nobody any more", "a", 3],
])("a connection that leads to %s is not taken over", (_, id, state) => {
    const socket = new FakeSocket(`ws://localhost:3000/api/games/${id}/socket`);
    socket.readyState = state;
    window.cairnEarly = { socket: socket as unknown as WebSocket, heard: [] };
    watchGame("a", handlers)();
    expect(FakeSocket.all.map(({ url }) => url)).toEqual([socket.url, "ws://localhost:3000/api/games/a/socket"]);
    expect(socket.readyState).toBe(3);
});

test("whoever has too many pages open is told so, and no further attempt is made", () => {
    watchGame("a", handlers);
    last().close(4429, "You have too many sockets open.");
    expect(handlers.problem.mock.calls.flat()).toMatchObject([{ kind: "too-many-sockets", status: 429 }]);
    vi.advanceTimersByTime(600_000);
    expect(FakeSocket.all).toHaveLength(1);
});

const full = (): void => last().close(4429, "You have too many sockets open.");

test("whoever watched before there were too many is told once, and comes back when there is room", async () => {
    const stop = watchGame("a", handlers);
    last().tell({ type: "game", game: {} });
    last().close(1012);
    await vi.advanceTimersByTimeAsync(backOff(0));
    full();
    expect(notices.list).toMatchObject([{ text: expect.stringContaining("Too many pages") as string }]);
    dismiss(notices.list[0]?.id ?? 0);
    await vi.advanceTimersByTimeAsync(backOff(1));
    full();
    expect(notices.list).toEqual([]);
    await vi.advanceTimersByTimeAsync(backOff(2));
    expect(FakeSocket.all).toHaveLength(4);
    last().tell({ type: "game", game: { id: "a" } });
    expect(handlers.game).toHaveBeenLastCalledWith({ id: "a" });
    expect(handlers.problem).not.toHaveBeenCalled();
    expect(connection.lost).toBe(false);
    stop();
});

test("what is followed comes back, too, and says why it waits", async () => {
    const heard = vi.fn();
    const stop = follow("/lobby/socket", heard);
    expect(last().url).toBe("ws://localhost:3000/api/lobby/socket");
    full();
    expect(notices.list).toHaveLength(1);
    dismiss(notices.list[0]?.id ?? 0);
    await vi.advanceTimersByTimeAsync(backOff(0));
    full();
    expect(notices.list).toEqual([]);
    await vi.advanceTimersByTimeAsync(backOff(1));
    last().tell({ challenges: [] });
    expect(heard.mock.calls).toEqual([[{ challenges: [] }]]);
    stop();
});
