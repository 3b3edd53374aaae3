import { expect, test } from "vitest";

import type { Outcome, Seat, Seats } from "../../lib/client";
import { setLanguage } from "../../lib/i18n";
import { outcomeText, seatText, stateText } from "./gameSummary";

const person = (name: string | null = null): Seat => ({ kind: "person", level: null, name });
const computer: Seat = { kind: "computer", level: 4, name: null };
const alone: Seats = { forest: computer, sea: person() };
const two: Seats = { forest: person("Anna"), sea: person() };
const outcome = (winner: Outcome["winner"], reason: string): Outcome => ({ winner, reason, rule: "G1" });

test("returns the player of each tribe as text", () => {
    expect([seatText(alone, "forest"), seatText(alone, "sea")]).toEqual(["Monolith, level 4", "You"]);
    expect([seatText(two, "forest"), seatText(two, "sea")]).toEqual(["Anna", "Sea"]);
    expect([seatText(two, "forest", ["sea"]), seatText(two, "sea", ["sea"])]).toEqual(["Anna", "You"]);
});

test("describes the state of a game", () => {
    expect(stateText({ seats: alone, decider: "sea", outcome: null, you: [] })).toBe("Waiting for you");
    expect(stateText({ seats: alone, decider: "forest", outcome: null, you: [] })).toBe("Waiting for the computer");
    expect(stateText({ seats: two, decider: "sea", outcome: null, you: [] })).toBe("Waiting for Sea");
    expect(stateText({ seats: two, decider: "sea", outcome: null, you: ["sea"] })).toBe("Waiting for you");
    expect(stateText({ seats: two, decider: "chance", outcome: null, you: [] })).toBe("In progress");
    expect(stateText({ seats: two, decider: null, outcome: outcome("sea", "score"), you: [] })).toBe(
        "Sea won with three megaliths",
    );
});

test("describes how a game ended, for every reason", async () => {
    const reasons = ["score", "no-action", "resignation", "time", "abandoned"];
    expect(new Set(reasons.map((reason) => outcomeText(outcome("forest", reason)))).size).toBe(reasons.length);
    expect(outcomeText(outcome(null, "repetition"))).toBe("Drawn: the same position for the third time");
    expect(outcomeText(outcome(null, "agreement"))).toBe("Drawn by agreement");
    expect(outcomeText(outcome("sea", "something new"))).toBe("Sea won");
    await setLanguage("ru");
    expect(outcomeText(outcome("sea", "no-action"))).toBe("Победило Море: у соперника не осталось действий");
    await setLanguage("en");
});
