import { render, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { notices, dismiss } from "../../lib/notices.svelte";
import { router } from "../../lib/router.svelte";
import { defaults, settings } from "../../lib/settings.svelte";
import { serve, Status } from "../../test/server";
import NewGamePage from "./NewGamePage.svelte";

beforeEach(() => {
    settings.newGame = defaults().newGame;
});
afterEach(() => {
    for (const notice of notices.list) dismiss(notice.id);
    vi.unstubAllGlobals();
});

test("sends the chosen options and saves them for the next game", async () => {
    const asked = serve({ "POST /api/games": () => ({ id: "fresh" }) });
    render(NewGamePage, { two: false });
    expect(screen.getByRole("radio", { name: /Beginner/ })).toBeChecked();
    await userEvent.click(screen.getByRole("radio", { name: /Expert/ }));
    await userEvent.click(screen.getByRole("radio", { name: /Level 6: Trilith/ }));
    await userEvent.click(screen.getByRole("radio", { name: "Either" }));
    await userEvent.click(screen.getAllByRole("radio", { name: "Sea" }).at(-1) as HTMLElement);
    await userEvent.click(screen.getByRole("button", { name: "Start the game" }));
    await waitFor(() => expect(router.url.pathname).toBe("/game/fresh"));
    expect(asked[0]?.body).toMatchObject({ variant: "expert", first: "sea" });
    expect(JSON.stringify(asked[0]?.body)).toContain('"level":6');
    expect(settings.newGame).toMatchObject({ variant: "expert", level: 6, tribe: null, first: "sea" });
});

test("asks two players at one screen for names instead of a level", async () => {
    const asked = serve({ "POST /api/games": () => ({ id: "pair" }) });
    render(NewGamePage, { two: true });
    expect(screen.queryByText("Level")).toBeNull();
    await userEvent.type(screen.getByLabelText(/Who plays Forest/), "Anna");
    await userEvent.click(screen.getByRole("button", { name: "Start the game" }));
    await waitFor(() => expect(router.url.pathname).toBe("/game/pair"));
    expect(asked[0]?.body).toMatchObject({
        seats: { forest: { kind: "person", name: "Anna" }, sea: { kind: "person" } },
    });
});

test("reports a full disk and keeps the form usable", async () => {
    serve({ "POST /api/games": () => new Status(507, { kind: "storage-full", sentence: "full" }) });
    render(NewGamePage, { two: false });
    await userEvent.click(screen.getByRole("button", { name: "Start the game" }));
    await waitFor(() => expect(notices.list.at(-1)?.text).toContain("The disk is full"));
    expect(screen.getByRole("button", { name: "Start the game" })).toBeEnabled();
});
