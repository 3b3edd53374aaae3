import { render, screen, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";

import { setLanguage } from "../../lib/i18n";
import { serve } from "../../test/server";
import TrafficSection from "./TrafficSection.svelte";

const ANN = { id: "a".repeat(24), kind: "account", name: "Ann" };
const GUEST = { id: "0123456789abcdef", kind: "guest", name: null };
const NOTHING = { networks: [], players: [], stalls: [], pairs: [] };
const TRAFFIC = {
    traced: true,
    process: "5f0c",
    minutes: 15,
    networks: [{ network: "203.0.113.0/24", requests: 12345, refused: 30, milliseconds: 98765 }],
    players: [{ player: GUEST, requests: 7, refused: 2, milliseconds: 41 }],
    stalls: [{ ended: "2026-11-15T05:00:00Z", milliseconds: 1234 }],
    pairs: [{ winner: ANN, loser: { ...ANN, id: "b", name: "Ben" }, games: 5, score: 4.5, network: "203.0.113.0/24" }],
};

afterEach(async () => {
    vi.unstubAllGlobals();
    await setLanguage("en");
});

/** The cells of the table with the given heading, row by row. */
async function cells(title: string): Promise<string[][]> {
    const region = await screen.findByRole("region", { name: title });
    const rows = within(region).getAllByRole("row").slice(1);
    return rows.map((row) => [...row.querySelectorAll("th, td")].map((cell) => cell.textContent));
}

test("lists networks, players, stalls and pairs", async () => {
    serve({ "GET /api/admin/traffic": () => TRAFFIC });
    render(TrafficSection);
    expect(await cells("Busiest networks")).toEqual([["203.0.113.0/24", "98,765", "30", "12,345"]]);
    expect(await cells("Busiest players")).toEqual([["guest 01234567", "41", "2", "7"]]);
    expect((await cells("Stalls"))[0]?.[1]).toBe("1,234");
    expect(await cells("Suspicious pairs")).toEqual([["Ann", "Ben", "4.5 of 5", "203.0.113.0/24"]]);
});

test("shows the process and the period that the figures cover", async () => {
    serve({ "GET /api/admin/traffic": () => TRAFFIC });
    render(TrafficSection);
    expect(await screen.findByText(/The last 15 minutes, .* process 5f0c\. Other processes/)).toBeInTheDocument();
});

test("shows a note if the server records no traces", async () => {
    serve({ "GET /api/admin/traffic": () => ({ ...TRAFFIC, ...NOTHING, traced: false }) });
    render(TrafficSection);
    expect(await screen.findByText(/keeps no traces/)).toBeInTheDocument();
    expect(screen.queryByText("Busiest networks")).toBeNull();
    expect(screen.getByText("Stalls")).toBeInTheDocument();
});

test("refetches the traffic on request", async () => {
    const asked = serve({ "GET /api/admin/traffic": () => ({ ...TRAFFIC, ...NOTHING }) });
    render(TrafficSection);
    expect(await screen.findAllByText("None.")).toHaveLength(4);
    await userEvent.click(screen.getByRole("button", { name: "Refresh" }));
    expect(asked).toHaveLength(2);
});

test("formats numbers in the language of the page", async () => {
    serve({ "GET /api/admin/traffic": () => TRAFFIC });
    await setLanguage("de");
    render(TrafficSection);
    expect((await cells("Aktivste Netze"))[0]).toEqual(["203.0.113.0/24", "98.765", "30", "12.345"]);
});
