import { render, screen } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";

import { serve, Status } from "../../test/server";
import PlayerPage from "./PlayerPage.svelte";

afterEach(() => vi.unstubAllGlobals());

test("loads a profile on retry after a failure", async () => {
    let answer: unknown = new Status(503, { kind: "storage-failed", sentence: "", faults: [] });
    serve({ "GET /api/players/Ann": () => answer });
    render(PlayerPage, { name: "Ann" });
    const retry = await screen.findByRole("button", { name: "Try again" });
    answer = {
        created: "2026-11-15T05:00:00Z",
        player: { id: "a", kind: "account", name: "Ann" },
        history: [],
        ratings: [],
        recent: [],
        results: [],
    };
    await userEvent.click(retry);
    expect(await screen.findByText(/member since/)).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
});
