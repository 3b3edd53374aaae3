import { render, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { notices, dismiss } from "../../lib/notices.svelte";
import { router } from "../../lib/router.svelte";
import { defaults, settings } from "../../lib/settings.svelte";
import { serve, Status, type Asked } from "../../test/server";
import NewGamePage from "./NewGamePage.svelte";

let won: object[] = [];

/** The body of the request that started the game. */
function startRequest(asked: readonly Asked[]): unknown {
    return asked.find(({ method }) => method === "POST")?.body;
}

beforeEach(() => {
    won = [];
    settings.newGame = defaults().newGame;
});
afterEach(() => {
    for (const notice of notices.list) dismiss(notice.id);
    vi.unstubAllGlobals();
});

test("sends the chosen options and saves them for the next game", async () => {
    const asked = serve({
        "GET /api/games": () => ({ games: won, total: won.length }),
        "POST /api/games": () => ({ id: "fresh" }),
    });
    render(NewGamePage, { two: false });
    expect(screen.getByRole("radio", { name: /Beginner/ })).toBeChecked();
    expect(screen.getByRole("group", { name: "Your tribe" })).toHaveAccessibleDescription(/^Both tribes play alike\./);
    await userEvent.click(screen.getByRole("radio", { name: /Expert/ }));
    await userEvent.click(screen.getByRole("radio", { name: /Level 6: Trilithon/ }));
    await userEvent.click(screen.getByRole("radio", { name: "Random" }));
    await userEvent.click(screen.getAllByRole("radio", { name: "Sea" }).at(-1) as HTMLElement);
    await userEvent.click(screen.getByRole("button", { name: "Start the game" }));
    await waitFor(() => expect(router.url.pathname).toBe("/game/fresh"));
    expect(startRequest(asked)).toMatchObject({ variant: "expert", first: "sea" });
    expect(JSON.stringify(startRequest(asked))).toContain('"level":6');
    expect(settings.newGame).toMatchObject({ variant: "expert", level: 6, tribe: null, first: "sea" });
});

test("asks two players at one screen for names instead of a level", async () => {
    const asked = serve({
        "GET /api/games": () => ({ games: won, total: won.length }),
        "POST /api/games": () => ({ id: "pair" }),
    });
    render(NewGamePage, { two: true });
    expect(screen.queryByText("Level")).toBeNull();
    await userEvent.type(screen.getByLabelText(/Who plays Forest/), "Anna");
    await userEvent.click(screen.getByRole("button", { name: "Start the game" }));
    await waitFor(() => expect(router.url.pathname).toBe("/game/pair"));
    expect(startRequest(asked)).toMatchObject({
        seats: { forest: { kind: "person", name: "Anna" }, sea: { kind: "person" } },
    });
});

test("reports a full disk and keeps the form usable", async () => {
    serve({
        "GET /api/games": () => ({ games: won, total: won.length }),
        "POST /api/games": () => new Status(507, { kind: "storage-full", sentence: "full" }),
    });
    render(NewGamePage, { two: false });
    await userEvent.click(screen.getByRole("button", { name: "Start the game" }));
    await waitFor(() => expect(notices.list.at(-1)?.text).toContain("The disk is full"));
    expect(screen.getByRole("button", { name: "Start the game" })).toBeEnabled();
});

test("marks the levels that the player has beaten, and describes the chosen one", async () => {
    const seats = { forest: { kind: "person" }, sea: { kind: "computer", level: 2 } };
    const finished = { id: "a", seats, you: [], variant: "beginner", turns: 20, changed: "2026-11-15T05:00:00Z" };
    won = [
        { ...finished, outcome: { winner: "forest" } },
        { ...finished, id: "b", seats: { ...seats, sea: { kind: "computer", level: 3 } }, outcome: { winner: "sea" } },
    ];
    serve({ "GET /api/games": () => ({ games: won, total: won.length }) });
    render(NewGamePage, { two: false });
    expect(await screen.findByRole("radio", { name: /Level 2: Cairn stone.*, beaten/ })).toBeInTheDocument();
    expect(screen.getAllByRole("radio", { name: /, beaten/ })).toHaveLength(1);
    await userEvent.click(screen.getByRole("radio", { name: /Level 3/ }));
    expect(screen.getByText("Half asleep, and hard to push aside.", { selector: ".chosen *" })).toBeInTheDocument();
});

test("describes each opponent to screen readers", () => {
    serve({ "GET /api/games": () => ({ games: won, total: won.length }) });
    render(NewGamePage, { two: false });
    expect(screen.getByRole("radio", { name: /Level 1: Pebble/ })).toHaveAccessibleDescription("Happy to roll along.");
});
