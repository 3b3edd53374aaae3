import { render } from "@testing-library/svelte";
import { tick } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { notices, dismiss } from "../../lib/notices.svelte";
import { navigate, setQuery } from "../../lib/router.svelte";
import { keepSeat, waitingSeats } from "../../lib/seats";
import { FakeSocket } from "../../test/socket";
import ChallengeWatcher from "./ChallengeWatcher.svelte";

beforeEach(() => {
    localStorage.clear();
    FakeSocket.install();
    navigate("/game/other");
    for (const id of ["a", "b"]) keepSeat(id, { token: null, commitment: "", number: "", waiting: true });
});
afterEach(() => {
    for (const { id } of notices.list) dismiss(id);
    vi.unstubAllGlobals();
});

const open = () => FakeSocket.all.filter(({ readyState }) => readyState < 2).map(({ url }) => url.split("/").at(-2));

test("stepping through a game keeps the sockets of open challenges", async () => {
    render(ChallengeWatcher);
    expect(open()).toEqual(["a", "b"]);
    for (let step = 0; step < 20; step++) {
        setQuery({ step });
        await tick();
    }
    expect(FakeSocket.all).toHaveLength(2);
});

test("opening another page connects to new challenges and keeps the existing sockets", async () => {
    render(ChallengeWatcher);
    keepSeat("c", { token: null, commitment: "", number: "", waiting: true });
    navigate("/games");
    await tick();
    expect(open()).toEqual(["a", "b", "c"]);
    expect(FakeSocket.all).toHaveLength(3);
});

test("announces a game that has started, and stops watching its challenge", () => {
    render(ChallengeWatcher);
    FakeSocket.all[0]?.tell({ challenge: { state: "accepted", game: "g" } });
    expect(notices.list).toMatchObject([{ action: { label: expect.any(String) as string } }]);
    expect(waitingSeats()).toEqual(["b"]);
    expect(open()).toEqual(["b"]);
});
