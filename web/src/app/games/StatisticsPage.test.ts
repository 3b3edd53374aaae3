import { render, screen, within } from "@testing-library/svelte";
import { afterEach, expect, test, vi } from "vitest";

import { serve } from "../../test/server";
import StatisticsPage from "./StatisticsPage.svelte";

afterEach(() => vi.unstubAllGlobals());

test("says what to do if there are no finished games yet", async () => {
    serve({ "GET /api/games": () => ({ games: [], total: 0 }) });
    render(StatisticsPage);
    expect(await screen.findByText(/Nothing to count yet/)).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Play Pebble" })).toBeInTheDocument();
    expect(screen.queryByRole("table")).toBeNull();
});

test("counts the games on every page of results", async () => {
    const all = Array.from({ length: 250 }, (_, index) => ({
        id: `g${index}`,
        seats: { forest: { kind: "person" }, sea: { kind: "computer", level: 2 } },
        you: [],
        variant: "expert",
        turns: 30,
        changed: `2026-11-15T05:${String(index % 60).padStart(2, "0")}:00Z`,
        outcome: { winner: index < 240 ? "forest" : "sea" },
    }));
    serve({
        "GET /api/games": ({ query }) => {
            const offset = Number(query.get("offset"));
            return { games: all.slice(offset, offset + Number(query.get("limit"))), total: all.length };
        },
    });
    render(StatisticsPage);
    const table = await screen.findByRole("table", { name: "By opponent" });
    expect(within(table).getByRole("row", { name: /Cairn stone/ })).toHaveTextContent(/240\s*10\s*0/);
    expect(screen.getByText("30 turns")).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Play Boulder" })).toBeInTheDocument();
    expect(screen.queryByText(/Only a few games/)).toBeNull();
});
