import { expect, test } from "vitest";

import type { GameSummary, Outcome, Seat, TribeName } from "./client";
import { ownTribe } from "./people";
import { beatenLevels, nextToBeat, statisticsOf } from "./statistics";

const person: Seat = { kind: "person", level: null, name: null };
const computer = (level: number): Seat => ({ kind: "computer", level, name: null });
const outcome = (winner: TribeName | null): Outcome => ({ winner, reason: "score", rule: "G1" });

let day = 10;

/** A finished game in which a person plays Forest against the computer, one day later than the previous game. */
function game(winner: TribeName | null, change: Partial<GameSummary> = {}): GameSummary {
    day += 1;
    return {
        id: `g${day}`,
        kind: "local",
        rated: false,
        you: [],
        created: `2026-11-${day}T05:00:00Z`,
        changed: `2026-11-${day}T06:00:00Z`,
        variant: "beginner",
        seats: { forest: person, sea: computer(1) },
        turns: 20,
        position: "",
        decider: null,
        outcome: outcome(winner),
        ...change,
    };
}

test("counts wins, losses and draws by opponent and by variant", () => {
    const statistics = statisticsOf([
        game("forest"),
        game("sea"),
        game("forest", { seats: { forest: computer(4), sea: person }, variant: "expert", turns: 31 }),
        game(null, { seats: { forest: person, sea: computer(4) }, variant: "expert" }),
        game("sea", { kind: "online", you: ["sea"], seats: { forest: person, sea: person }, variant: "standard" }),
    ]);
    expect(statistics.games).toBe(5);
    expect(statistics.total).toEqual({ won: 2, lost: 2, drawn: 1 });
    expect(statistics.levels[1]).toEqual({ won: 1, lost: 1, drawn: 0 });
    expect(statistics.levels[4]).toEqual({ won: 0, lost: 1, drawn: 1 });
    expect(statistics.people).toEqual({ won: 1, lost: 0, drawn: 0 });
    expect(statistics.variants.beginner).toEqual({ won: 1, lost: 1, drawn: 0 });
    expect(statistics.variants.standard).toEqual({ won: 1, lost: 0, drawn: 0 });
    expect(statistics.variants.expert).toEqual({ won: 0, lost: 1, drawn: 1 });
    expect(statistics.averageTurns).toBe(22); // (4 × 20 + 31) / 5 = 22.2
});

test("leaves out running games, games in which the player's tribe is unknown, and custom positions", () => {
    const statistics = statisticsOf([
        game(null, { outcome: null }),
        game("forest", { seats: { forest: person, sea: person } }),
        game("forest", { seats: { forest: computer(1), sea: computer(2) } }),
        game("forest", { you: ["forest", "sea"], kind: "online" }),
        game("forest", { variant: null }),
    ]);
    expect(statistics.games).toBe(0);
    expect(statistics.total).toEqual({ won: 0, lost: 0, drawn: 0 });
    expect(statistics.averageTurns).toBeNull();
    expect([statistics.streak, statistics.bestStreak]).toEqual([0, 0]);
});

test("finds the current and the best streak in the order in which the games ended", () => {
    const games = ["forest", "forest", "forest", "sea", "forest", "forest"].map((winner) => game(winner as TribeName));
    expect(statisticsOf(games)).toMatchObject({ streak: 2, bestStreak: 3 });
    expect(statisticsOf(games.toReversed())).toMatchObject({ streak: 2, bestStreak: 3 });
    expect(statisticsOf([...games, game(null)])).toMatchObject({ streak: 0, bestStreak: 3 });
    expect(statisticsOf([game("forest")])).toMatchObject({ streak: 1, bestStreak: 1 });
});

test("a beaten level stays beaten, and the next one is above the highest beaten level", () => {
    const at = (level: number, winner: TribeName): GameSummary =>
        game(winner, { seats: { forest: person, sea: computer(level) } });
    const beaten = beatenLevels(statisticsOf([at(2, "forest"), at(2, "sea"), at(5, "forest"), at(7, "sea")]));
    expect([...beaten]).toEqual([2, 5]);
    expect(nextToBeat(beaten)).toBe(6);
    expect(nextToBeat(new Set())).toBe(1);
    expect(nextToBeat(new Set([10]))).toBeNull();
});

test("ownTribe finds the player's tribe in games against the computer and online", () => {
    expect(ownTribe(game("sea"))).toBe("forest");
    expect(ownTribe(game("sea", { seats: { forest: computer(3), sea: person } }))).toBe("sea");
    expect(ownTribe(game("sea", { you: ["sea"], seats: { forest: person, sea: person } }))).toBe("sea");
    expect(ownTribe(game("sea", { seats: { forest: person, sea: person } }))).toBeNull();
});
