import { render, screen, within } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { me } from "../../lib/me.svelte";
import { serve } from "../../test/server";
import AdminPage from "./AdminPage.svelte";

const NO_REPORTS = { reports: [], total: 0 };
const NO_TRAFFIC = { traced: true, process: "0a", minutes: 15, networks: [], players: [], stalls: [], pairs: [] };

beforeEach(() => {
    me.set({ player: { id: "a", kind: "account", name: "Ann" }, admin: true, muted: false });
});

afterEach(() => {
    me.set(null);
    vi.unstubAllGlobals();
});

test("lists damaged games", async () => {
    const found = { game: "abc123", damage: "revision 3 does not match its hash", found: "2026-11-15T05:00:00Z" };
    serve({
        "GET /api/admin/reports": () => NO_REPORTS,
        "GET /api/admin/traffic": () => NO_TRAFFIC,
        "GET /api/admin/damage": () => ({ database: null, games: [found] }),
    });
    render(AdminPage);
    const section = await screen.findByRole("region", { name: "Damaged games" });
    expect(within(section).getByText("abc123")).toBeInTheDocument();
    expect(section).toHaveTextContent("revision 3 does not match its hash");
});

test("hides the section if no game is damaged", async () => {
    serve({
        "GET /api/admin/reports": () => NO_REPORTS,
        "GET /api/admin/traffic": () => NO_TRAFFIC,
        "GET /api/admin/damage": () => ({ database: null, games: [] }),
    });
    render(AdminPage);
    expect(await screen.findByText("Nothing to do.")).toBeInTheDocument();
    expect(screen.queryByRole("region", { name: "Damaged games" })).toBeNull();
});
