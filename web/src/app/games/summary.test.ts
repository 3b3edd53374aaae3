import { expect, test } from "vitest";

import type { Outcome, Seat, Seats } from "../../lib/client";
import { setLanguage } from "../../lib/i18n";
import { outcomeText, seatText, stateText } from "./summary";
import { looksLikePosition, positionAddress, searchWords } from "./texts";

const person = (name: string | null = null): Seat => ({ kind: "person", level: null, name });
const computer: Seat = { kind: "computer", level: 4, name: null };
const alone: Seats = { forest: computer, sea: person() };
const two: Seats = { forest: person("Anna"), sea: person() };
const outcome = (winner: Outcome["winner"], reason: string): Outcome => ({ winner, reason, rule: "G1" });

test("who plays", () => {
    expect([seatText(alone, "forest"), seatText(alone, "sea")]).toEqual(["Menhir, level 4", "You"]);
    expect([seatText(two, "forest"), seatText(two, "sea")]).toEqual(["Anna", "Sea"]);
    expect([seatText(two, "forest", ["sea"]), seatText(two, "sea", ["sea"])]).toEqual(["Anna", "You"]);
});

test("where a game stands", () => {
    expect(stateText({ seats: alone, decider: "sea", outcome: null, you: [] })).toBe("It is your decision");
    expect(stateText({ seats: alone, decider: "forest", outcome: null, you: [] })).toBe("The computer decides");
    expect(stateText({ seats: two, decider: "sea", outcome: null, you: [] })).toBe("Sea decides");
    expect(stateText({ seats: two, decider: "sea", outcome: null, you: ["sea"] })).toBe("It is your decision");
    expect(stateText({ seats: two, decider: "chance", outcome: null, you: [] })).toBe("Running");
    expect(stateText({ seats: two, decider: null, outcome: outcome("sea", "score"), you: [] })).toBe(
        "Sea won with three megaliths",
    );
});

test("how a game ended, for every reason that there is", async () => {
    const reasons = ["score", "no-action", "resignation", "time", "abandoned"];
    expect(new Set(reasons.map((reason) => outcomeText(outcome("forest", reason)))).size).toBe(reasons.length);
    expect(outcomeText(outcome(null, "repetition"))).toBe("Drawn: the same position for the third time");
    expect(outcomeText(outcome(null, "agreement"))).toBe("Drawn by agreement");
    expect(outcomeText(outcome("sea", "something new"))).toBe("Sea won");
    await setLanguage("ru");
    expect(outcomeText(outcome("sea", "no-action"))).toBe("Победило Море: у соперника не осталось действий");
    await setLanguage("en");
});

test("a position is told from a record", () => {
    expect(looksLikePosition(" S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F\n")).toBe(true);
    expect(looksLikePosition('[Position "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"]\n\n*')).toBe(false);
    expect(looksLikePosition("one two three four five six seven")).toBe(false);
});

test("a position survives its journey in an address", () => {
    const position = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F";
    const address = new URL(positionAddress("/position", "p", position), "http://cairn.test");
    expect(address.searchParams.get("p")).toBe(position);
    expect(address.search).toBe("?p=S1S1S/5/5/5/F1F1F+b3CG,d3CD+DRMD+(ADCSPSSA)+wofm+0-0+F");
    const odd = new URL(positionAddress("/position", "p", "a&b=%2F+c d"), "http://cairn.test");
    expect(odd.searchParams.get("p")).toBe("a&b=%2F+c d");
});

test("what a card says is looked for, in any language, and while it is typed", async () => {
    expect([" menhir ", "level 4", "Anna  B.", "stone circle", "you", "Exp", "a|b"].map(searchWords)).toEqual([
        "menhir|level:4",
        "level 4",
        "anna b.",
        "stone|level:2|level:9 circle|level:9",
        "you|computer",
        "exp|expert",
        "a|level:8 b|level:3|beginner|position",
    ]);
    await setLanguage("de");
    expect(["Gipfel", "Stufe 4", "du", "Wald"].map(searchWords)).toEqual([
        "gipfel|level:10",
        "stufe|level 4",
        "du|computer",
        "wald|unnamed:forest",
    ]);
    await setLanguage("en");
});
