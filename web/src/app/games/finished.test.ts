/** What the pages show if the finished games cannot be read. The tests share what was read, so their order matters. */
import { render, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";

import { connection } from "../../lib/connection.svelte";
import { dismiss, notices } from "../../lib/notices.svelte";
import { serve, Status } from "../../test/server";
import GamesPage from "./GamesPage.svelte";
import StatisticsPage from "./StatisticsPage.svelte";

const NOT_COUNTED = /games on the server could not be read/;

const won = {
    id: "won",
    seats: { forest: { kind: "person" }, sea: { kind: "computer", level: 2 } },
    you: [],
    variant: "expert",
    turns: 30,
    changed: "2026-11-15T05:00:00Z",
    outcome: { winner: "forest" },
};

function failing(): Status {
    return new Status(503, { kind: "storage-failed", sentence: "" });
}

afterEach(() => {
    connection.succeed();
    for (const notice of notices.list) dismiss(notice.id);
    vi.unstubAllGlobals();
});

test("My games says that the ladder does not count the games on the server", async () => {
    serve({
        "GET /api/games": ({ query }) => (query.get("state") === "finished" ? failing() : { games: [], total: 0 }),
    });
    render(GamesPage);
    expect(await screen.findByText(NOT_COUNTED)).toBeInTheDocument();
});

test("the statistics can be read again after a failure, and stay while the connection is lost", async () => {
    serve({ "GET /api/games": failing });
    render(StatisticsPage);
    expect(await screen.findByRole("alert")).toHaveTextContent(NOT_COUNTED);
    expect(screen.getByText(/Nothing to count yet/)).toBeInTheDocument();

    serve({ "GET /api/games": () => ({ games: [won], total: 1 }) });
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("row", { name: /Cairn stone/ })).toBeInTheDocument();
    expect(screen.queryByRole("alert")).toBeNull();

    serve({});
    connection.fail();
    await waitFor(() => expect(connection.lost).toBe(true));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(screen.getByRole("row", { name: /Cairn stone/ })).toBeInTheDocument();
    expect(screen.queryByRole("alert")).toBeNull();
});

test("a stale answer does not replace a newer one", async () => {
    const answers: ((list: object) => void)[] = [];
    vi.stubGlobal("fetch", () => new Promise((resolve) => answers.push((list) => resolve(Response.json(list)))));
    render(StatisticsPage);
    await waitFor(() => expect(answers).toHaveLength(1));
    connection.fail(); // shows the game that the previous test has read
    expect(await screen.findByRole("row", { name: /Cairn stone/ })).toBeInTheDocument();
    connection.succeed();
    await waitFor(() => expect(answers).toHaveLength(2));
    answers[1]?.({ games: [won], total: 1 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    answers[0]?.({ games: [], total: 0 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(screen.getByRole("row", { name: /Cairn stone/ })).toBeInTheDocument();
});
