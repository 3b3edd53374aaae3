import { Blob } from "node:buffer";
import { CompressionStream, DecompressionStream } from "node:stream/web";

import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { serve, Status } from "../test/server";
import { ApiProblem } from "./client";
import { connection } from "./connection.svelte";
import { noteDeviceGame } from "./deviceGames";
import { createGame, deviceGames, finishedGames, handOver, latestRunning, lineOf, recordOf } from "./games";
import { linkedId } from "./ids";
import { notices } from "./notices.svelte";
import { pack } from "./source/packedRecord";
import { localStore } from "./storage";

const device = vi.hoisted(() => ({
    createGame: vi.fn(() => Promise.resolve("device-1")),
    line: vi.fn(() => Promise.resolve({ start: "here" })),
    games: vi.fn(() => Promise.resolve([] as object[])),
    record: vi.fn(() => Promise.resolve({ text: "a record", revision: 7 })),
    deleteGame: vi.fn<(id: string, revision?: number) => Promise<void>>(() => Promise.resolve()),
}));
vi.mock("./device", () => device);

const request = { seats: { forest: { kind: "person" }, sea: { kind: "person" } } } as const;

beforeEach(() => {
    localStore.removeItem("cairn.device-games");
    connection.succeed();
});
afterEach(() => {
    connection.succeed();
    vi.unstubAllGlobals();
    vi.clearAllMocks();
});

function stopServer(): void {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
}

test("games are stored on the server while it is reachable", async () => {
    serve({ "POST /api/games": () => ({ id: "abc" }) });
    expect(await createGame(request)).toBe("abc");
    expect(device.createGame).not.toHaveBeenCalled();
});

test("games are stored on the device if the server does not respond, and no further request is sent", async () => {
    stopServer();
    expect(await createGame(request)).toBe("device-1");
    expect(connection.lost).toBe(true);
    const asked = serve({});
    expect(await lineOf("p")).toEqual({ start: "here" });
    expect(asked).toEqual([]);
});

test("a game that the server refuses is not created on the device", async () => {
    serve({ "POST /api/games": () => new Status(422, { kind: "no-person", sentence: "" }) });
    await expect(createGame(request)).rejects.toMatchObject({ kind: "no-person" });
    expect(device.createGame).not.toHaveBeenCalled();
});

test("device games are not looked up in a browser that has never stored any", async () => {
    expect(await deviceGames()).toEqual([]);
    expect(device.games).not.toHaveBeenCalled();
});

test("finished games say that those on the server are missing", async () => {
    noteDeviceGame();
    const over = { id: "device-2", outcome: { winner: null } };
    device.games.mockResolvedValue([over]);
    connection.fail();
    expect(await finishedGames()).toMatchObject({ games: [over], missing: { kind: "offline" } });
});

test("the latest running game may be on the server or on the device", async () => {
    noteDeviceGame();
    const older = { id: "abc", changed: "2026-01-01T00:00:00Z", outcome: null };
    serve({ "GET /api/games": () => ({ games: [older], total: 1 }) });
    expect(await latestRunning()).toEqual(older);
    const newer = { id: "device-1", changed: "2026-01-02T00:00:00Z", outcome: null };
    const over = { id: "device-2", changed: "2026-01-03T00:00:00Z", outcome: { winner: null } };
    device.games.mockResolvedValue([over, newer]);
    expect(await latestRunning()).toEqual(newer);
});

test("a game stays on the device if the server refuses it", async () => {
    serve({ "POST /api/records": () => new Status(429, { kind: "too-many", sentence: "" }) });
    await expect(handOver("device-1")).rejects.toMatchObject({ kind: "too-many" });
    expect(device.deleteGame).not.toHaveBeenCalled();
    const asked = serve({ "POST /api/records": () => ({ id: "abc" }) });
    await handOver("device-1");
    expect(asked[0]?.body).toEqual({ text: "a record", id: "7 device-1" });
    expect(device.deleteGame).toHaveBeenCalledWith("device-1", 7);
});

test("a game that changes in another tab is resent, and the incomplete copy is deleted", async () => {
    device.deleteGame.mockRejectedValueOnce(new ApiProblem("stale-revision", "", 409));
    let games = 0;
    const asked = serve({
        "POST /api/records": () => ({ id: `abc${++games}`, created: "2026-01-01", changed: "2026-01-01" }),
        "DELETE /api/games/abc1": () => undefined,
    });
    await handOver("device-1");
    expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
        "POST /api/records",
        "DELETE /api/games/abc1",
        "POST /api/records",
    ]);
});

test("a game that arrived earlier and was continued on the server is not deleted there", async () => {
    device.deleteGame.mockRejectedValueOnce(new ApiProblem("stale-revision", "", 409));
    const asked = serve({ "POST /api/records": () => ({ id: "abc", created: "2026-01-01", changed: "2026-01-02" }) });
    await handOver("device-1");
    expect(asked.map(({ method }) => method)).toEqual(["POST", "POST"]);
});

test("device games that cannot be read are reported, and are not shown as missing", async () => {
    noteDeviceGame();
    device.games.mockRejectedValue(new ApiProblem("device-unreadable", ""));
    await expect(deviceGames()).rejects.toMatchObject({ kind: "device-unreadable" });
    serve({ "GET /api/games": () => ({ games: [], total: 0 }) });
    expect(await latestRunning()).toBeNull();
    expect(notices.list.map(({ text }) => text)).toEqual([
        "The browser could not read the games on this device. They are not lost; try again.",
    ]);
});

test("finished games are read once, and again only if the list has changed", async () => {
    const game = (number: number): object => ({ id: `g${number}`, outcome: { winner: null } });
    let all = Array.from({ length: 250 }, (_, number) => game(number));
    const asked = serve({
        "GET /api/games": ({ query }) => {
            const offset = Number(query.get("offset"));
            return { games: all.slice(offset, offset + Number(query.get("limit"))), total: all.length };
        },
    });
    const limits = async (): Promise<unknown[]> => {
        asked.length = 0;
        expect(await finishedGames()).toEqual({ games: all, missing: null });
        return asked.map(({ query }) => Number(query.get("limit")));
    };
    expect(await limits()).toEqual([200, 200]);
    expect(await limits()).toEqual([1]);
    all = [game(250), ...all]; // a game has ended
    expect(await limits()).toEqual([1, 200, 200]);
    all = all.filter((_, number) => number !== 100); // a game was deleted
    expect(await limits()).toEqual([1, 200, 200]);
    stopServer();
    expect(await finishedGames()).toEqual({ games: all, missing: null });
});

test("the record of a game comes from the server, from this device or from its link", async () => {
    // jsdom has no streams.
    for (const [name, value] of Object.entries({ Blob, CompressionStream, DecompressionStream }))
        vi.stubGlobal(name, value);
    vi.stubGlobal("fetch", () => Promise.resolve(new Response("on the server")));
    expect(await recordOf("k7mq2xw9hb4t")).toBe("on the server");
    expect(await recordOf("device-1")).toBe("a record");
    expect(await recordOf(linkedId(await pack("in the link")))).toBe("in the link");
});
