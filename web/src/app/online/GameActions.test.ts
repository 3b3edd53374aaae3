import { render, screen } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";

import { ApiProblem, type GameView } from "../../lib/client";
import { notices } from "../../lib/notices.svelte";
import type { TableChannel } from "../../lib/source";
import GameActions from "./GameActions.svelte";
import { OnlineTable } from "./table.svelte";

const DAY = 86_400_000;
const game = {
    id: "g",
    changed: new Date(0).toISOString(),
    seats: { forest: { kind: "person" }, sea: { kind: "person" } },
    steps: [{ by: "forest" }],
    now: { turn: 2, decider: "sea", held: null, outcome: null, clock: null, offers: [], owed: [] },
} as unknown as GameView;

function actions(now: number, channel: Partial<TableChannel> = {}): void {
    const clock = { now: () => now };
    const table = new OnlineTable("g", { clock, ...channel } as unknown as TableChannel);
    render(GameActions, { game, table, mine: ["forest"], canUndo: false });
}

const claim = () => screen.queryByRole("button", { name: "Claim the win" });

test("without a clock, the win can be claimed even if the opponent is present, and the page explains why", async () => {
    const claimed = vi.fn(() => Promise.resolve());
    actions(3 * DAY, { claim: claimed });
    expect(screen.getByText("The other player has not played for three days.")).toBeInTheDocument();
    await userEvent.click(claim() ?? document.body);
    expect(claimed).toHaveBeenCalledOnce();
});

test("without a clock, the win cannot be claimed before three days have passed", () => {
    actions(3 * DAY - 1);
    expect(claim()).not.toBeInTheDocument();
});

test("a notice states the limit if the server refuses another takeback request", async () => {
    actions(0, { offer: () => Promise.reject(new ApiProblem("offered-already", "", 409)) });
    await userEvent.click(screen.getByRole("button", { name: "Ask for a takeback" }));
    const limit = "In each turn you can offer a draw once and ask for a takeback three times.";
    await vi.waitFor(() => expect(notices.list.map(({ text }) => text)).toContain(limit));
});
