import { render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { connection } from "../../lib/connection.svelte";
import { noteDeviceGame } from "../../lib/deviceGames";
import { navigate } from "../../lib/router.svelte";
import { serve, type Asked } from "../../test/server";
import RunningBar from "./RunningBar.svelte";

const device = vi.hoisted(() => ({ games: vi.fn(() => Promise.resolve([] as object[])) }));
vi.mock("../../lib/device", () => device);

/** Longer than the interval between two requests, in milliseconds. */
const A_WHILE = 30_000;

const person = { kind: "person", level: null, name: "Ada" };
const computer = { kind: "computer", level: 1, name: null };

function game(id: string, more: object = {}): object {
    const position = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F";
    const seats = { forest: person, sea: computer };
    const changed = new Date().toISOString();
    return { id, changed, kind: "local", you: [], decider: "forest", outcome: null, seats, position, ...more };
}

/** Serve these running games. Returns the requests. */
function running(...games: object[]): Asked[] {
    return serve({ "GET /api/running": () => ({ games, offers: [] }) });
}

beforeEach(() => {
    connection.succeed();
    localStorage.clear();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
    navigate("/");
    vi.useRealTimers();
    vi.unstubAllGlobals();
});

test("games on this device stay in the bar while they cannot be read", async () => {
    noteDeviceGame();
    device.games.mockResolvedValue([game("device-1")]);
    running();
    const bar = render(RunningBar, { fixed: false });
    expect(await screen.findByRole("link")).toHaveAttribute("href", "/game/device-1");
    device.games.mockRejectedValue(new Error("unreadable"));
    const asked = running();
    document.dispatchEvent(new Event("visibilitychange"));
    await waitFor(() => expect(asked).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(0);
    expect(screen.getByRole("link")).toHaveAttribute("href", "/game/device-1");
    bar.unmount();
    render(RunningBar, { fixed: false }); // the next visit
    expect(screen.getByRole("link")).toHaveAttribute("href", "/game/device-1");
    device.games.mockResolvedValue([]);
});

test("the server is asked repeatedly only during an online game", async () => {
    navigate("/game/local");
    let asked = running(game("local"));
    const bar = render(RunningBar, { fixed: false });
    await vi.advanceTimersByTimeAsync(A_WHILE);
    expect(asked).toHaveLength(1);
    bar.unmount();

    navigate("/game/online");
    const seats = { forest: person, sea: person };
    asked = running(game("online", { kind: "online", you: ["forest"], seats }));
    render(RunningBar, { fixed: false });
    await vi.advanceTimersByTimeAsync(A_WHILE);
    expect(asked.length).toBeGreaterThan(3);
});

test("the server is not asked after the bar has been destroyed during a request", async () => {
    let answer: (response: Response) => void = () => undefined;
    const fetch = vi.fn(() => new Promise<Response>((resolve) => (answer = resolve)));
    vi.stubGlobal("fetch", fetch);
    const bar = render(RunningBar, { fixed: false });
    await waitFor(() => expect(fetch).toHaveBeenCalledTimes(1));
    bar.unmount();
    answer(Response.json({ games: [game("online", { kind: "online", you: ["forest"] })], offers: [] }));
    await new Promise((resolve) => setImmediate(resolve)); // the body is read
    await vi.advanceTimersByTimeAsync(A_WHILE);
    expect(fetch).toHaveBeenCalledTimes(1);
});
