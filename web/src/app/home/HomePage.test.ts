import { render, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { storeLessons } from "../../lib/completedLessons";
import { router } from "../../lib/router.svelte";
import { defaults, settings } from "../../lib/settings.svelte";
import { serve } from "../../test/server";
import HomePage from "./HomePage.svelte";

const running = {
    id: "there",
    seats: { forest: { kind: "person" }, sea: { kind: "computer", level: 2 } },
    decider: "forest",
    outcome: null,
    you: [],
};

beforeEach(() => {
    settings.newGame = { ...defaults().newGame, level: 3, tribe: "sea", variant: "standard" };
});
afterEach(() => {
    vi.unstubAllGlobals();
    localStorage.clear();
});

test("one button starts a game with the same options as the last game", async () => {
    const asked = serve({
        "GET /api/games": () => ({ games: [], total: 0 }),
        "POST /api/games": () => ({ id: "fresh" }),
    });
    render(HomePage);
    const button = screen.getByRole("button", { name: /Play/ });
    expect(button).toHaveTextContent("Against the computer (Boulder, level 3) · Standard · you are Sea");
    expect(screen.queryByText("Continue your game")).toBeNull();
    await userEvent.click(button);
    await waitFor(() => expect(router.url.pathname).toBe("/game/fresh"));
    expect(asked.at(-1)?.body).toEqual({
        variant: "standard",
        first: null,
        seats: { forest: { kind: "computer", level: 3 }, sea: { kind: "person" } },
    });
});

test("a running game can be continued", async () => {
    const asked = serve({
        "GET /api/games": () => ({ games: [running], total: 1 }),
    });
    render(HomePage);
    const link = await screen.findByRole("link", { name: /Continue your game/ });
    expect(link).toHaveAttribute("href", "/game/there");
    const play = screen.getByRole("button", { name: /Play/ });
    expect(link.compareDocumentPosition(play)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(link).toHaveTextContent("You – Cairn stone, level 2 · Waiting for you");
    expect(Object.fromEntries(asked.find(({ path }) => path === "/api/games")?.query ?? [])).toEqual({
        state: "running",
        limit: "1",
    });
});

test("newcomers find the lessons right after the play button, everyone else among the cards", async () => {
    serve({ "GET /api/games": () => ({ games: [], total: 0 }) });
    const { unmount } = render(HomePage);
    const links = () => screen.getAllByRole("link").map((link) => link.getAttribute("href"));
    await waitFor(() => expect(links().slice(0, 3)).toEqual(["/tutorial", "/games", "/learn"]));
    unmount();
    storeLessons(["move"]);
    render(HomePage);
    await waitFor(() => expect(links().slice(0, 3)).toEqual(["/games", "/tutorial", "/learn"]));
});
