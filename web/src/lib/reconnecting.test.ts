import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { FakeSocket, setVisible } from "../test/socket";
import { backOff } from "./connection.svelte";
import { follow } from "./follow";
import { dismiss, notices } from "./notices.svelte";

beforeEach(() => {
    vi.useFakeTimers();
    FakeSocket.install();
});
afterEach(() => {
    for (const { id } of notices.list) dismiss(id);
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
});

const full = (): void => FakeSocket.last().close(4429, "You have too many sockets open.");

test("a subscription reconnects, and the player is notified once about too many sockets", async () => {
    const received = vi.fn();
    const stop = follow("/lobby/socket", received);
    expect(FakeSocket.last().url).toBe("ws://localhost:3000/api/lobby/socket");
    full();
    expect(notices.list).toHaveLength(1);
    dismiss(notices.list[0]?.id ?? 0);
    await vi.advanceTimersByTimeAsync(backOff(0));
    full();
    expect(notices.list).toEqual([]);
    await vi.advanceTimersByTimeAsync(backOff(1));
    FakeSocket.last().tell({ challenges: [] });
    expect(received.mock.calls).toEqual([[{ challenges: [] }]]);
    stop();
});

test("a path that does not exist is not retried", async () => {
    follow("/challenges/x/socket", vi.fn());
    FakeSocket.last().close(4404);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(FakeSocket.all).toHaveLength(1);
});

test("a page that becomes visible after a long time replaces its connection, which may be dead", async () => {
    const stop = follow("/challenges/x/socket", vi.fn());
    FakeSocket.last().tell({});
    setVisible(false);
    await vi.advanceTimersByTimeAsync(5_000);
    setVisible(true);
    expect(FakeSocket.all).toHaveLength(1);
    setVisible(false);
    await vi.advanceTimersByTimeAsync(60_000);
    setVisible(true);
    await vi.advanceTimersByTimeAsync(backOff(0));
    expect(FakeSocket.all).toHaveLength(2);
    stop();
});

test("when the network comes back, the next attempt is immediate", async () => {
    const stop = follow("/lobby/socket", vi.fn());
    for (let attempt = 0; attempt < 4; attempt++) {
        FakeSocket.last().close();
        await vi.advanceTimersByTimeAsync(backOff(attempt));
    }
    FakeSocket.last().close();
    await vi.advanceTimersByTimeAsync(0);
    window.dispatchEvent(new Event("online"));
    expect(FakeSocket.all).toHaveLength(6);
    stop();
});
