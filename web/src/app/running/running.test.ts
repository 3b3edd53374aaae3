import { expect, test } from "vitest";

import type { GameSummary } from "../../lib/client";
import { gamesInBar, isYourTurn, newTurns } from "./running";

const NOW = Date.parse("2026-11-16T12:00:00Z");
const person = { kind: "person", level: null, name: null };
const computer = { kind: "computer", level: 1, name: null };

function game(id: string, more: object = {}): GameSummary {
    const seats = { forest: person, sea: person };
    const changed = "2026-11-16T11:00:00Z";
    const basic = { id, changed, kind: "online", you: ["forest"], decider: "sea", outcome: null, seats };
    return { ...basic, ...more } as unknown as GameSummary;
}

test("it is your turn online if your tribe decides, and against the computer if the person decides", () => {
    expect(isYourTurn(game("a"))).toBe(false);
    expect(isYourTurn(game("a", { decider: "forest" }))).toBe(true);
    expect(isYourTurn(game("a", { decider: "chance" }))).toBe(false);
    const local = { kind: "local", you: [] };
    expect(isYourTurn(game("a", { ...local, decider: "sea" }))).toBe(false); // two people at one screen
    expect(isYourTurn(game("a", { ...local, seats: { forest: computer, sea: person } }))).toBe(true);
});

test("games that are waiting for you come first, and the game on the screen is omitted", () => {
    const local = { kind: "local", you: [] };
    const games = [
        game("another's", { ...local, changed: "2026-11-16T11:59:00Z" }),
        game("device-1", { ...local, changed: "2026-11-16T11:59:00Z" }),
        game("theirs"),
        game("yours", { decider: "forest" }),
        game("here", { decider: "forest" }),
        game("over", { outcome: { winner: "sea" } }),
        game("mine", { ...local, changed: "2026-11-16T10:00:00Z" }),
        game("forgotten", { ...local, changed: "2026-11-01T00:00:00Z" }),
        game("old", { changed: "2026-11-01T00:00:00Z" }),
    ];
    const shown = gamesInBar(games, "here", ["here", "mine", "forgotten"], NOW).map(({ id }) => id);
    expect(shown).toEqual(["yours", "theirs", "old", "device-1", "mine"]);
});

test("a turn is new only if the game was known and was waiting for somebody else", () => {
    const yours = { decider: "forest" };
    const before = [game("a"), game("b", yours)];
    expect(newTurns(before, [game("a", yours), game("b", yours), game("c", yours)]).map(({ id }) => id)).toEqual(["a"]);
});
