import { beforeEach, describe, expect, test } from "vitest";

import type { Moment, Seats } from "../../lib/client";
import { LANGUAGES, setLanguage } from "../../lib/i18n";
import { MEGALITH_CODES, megalithName } from "../../lib/megaliths";
import { nextPicks } from "../../lib/picking";
import { POWER_ASKS, prompt } from "./prompt";
import { momentOf, moments } from "../../test/recorded";

const person = { kind: "person", level: null, name: null } as const;
const computer = { kind: "computer", level: 1, name: null } as const;
const TWO: Seats = { forest: person, sea: person };

/** Seats where the decider of this moment is a person and the computer plays the other tribe. */
function against(moment: Moment): Seats {
    return moment.decider === "sea" ? { forest: computer, sea: person } : { forest: person, sea: computer };
}

/** Every proper prefix of a path. */
function prefixes(moment: Moment): string[][] {
    const all: string[][] = [];
    const visit = (picks: string[]): void => {
        all.push(picks);
        for (const [pick, choices] of nextPicks(moment.choices, picks)) {
            const whole = choices.some((choice) => choice.paths.some((path) => path.length === picks.length + 1));
            if (!whole) visit([...picks, pick]);
        }
    };
    visit([]);
    return all;
}

describe.each(LANGUAGES)("in %s", (language) => {
    beforeEach(() => setLanguage(language));

    test.each(Object.keys(moments))("%s: every prefix of picks has a sentence", (kind) => {
        const moment = momentOf(kind);
        for (const seats of [TWO, against(moment)]) {
            for (const picks of prefixes(moment)) {
                const text = prompt({ moment, seats, picks });
                expect(text, picks.join()).toMatch(/[.?]$/);
                expect(text, picks.join()).not.toMatch(/[{}]|play\.|story\.|undefined|null/);
                expect(text.charAt(0)).toBe(text.charAt(0).toLocaleUpperCase(language));
            }
        }
    });

    test("every power with a choice has its own question, which contains the name of the power", () => {
        const asked = new Set<string>();
        for (const code of Object.keys(POWER_ASKS)) {
            const moment = momentOf(code);
            const text = prompt({ moment, seats: against(moment), picks: [] });
            expect(text).toContain(megalithName(code));
            asked.add(text.replace(megalithName(code), ""));
        }
        expect(asked.size).toBe(Object.keys(POWER_ASKS).length);
    });
});

describe("in English", () => {
    beforeEach(() => setLanguage("en"));

    test("every power has a question, except the two powers without a choice", () => {
        const without = MEGALITH_CODES.filter((code) => !(code in POWER_ASKS));
        expect(without).toEqual(["PS", "TS"]);
    });

    test("Deer Rock asks for a shaman, then where it goes", () => {
        const moment = momentOf("DR");
        const seats = against({ ...moment, active: "forest" });
        const own: Moment = { ...moment, active: moment.decider === "sea" ? "sea" : "forest" };
        expect(prompt({ moment: own, seats, picks: [] })).toBe("Deer Rock: pick a shaman next to it, of either tribe.");
        const first = moment.choices[0]?.paths[0]?.[0] ?? "";
        expect(prompt({ moment: own, seats, picks: [first] })).toBe(
            `Deer Rock: where should the shaman from ${first} go?`,
        );
    });

    test("with two players at one screen, the prompt states who decides, even during the opponent's turn", () => {
        const action = momentOf("action");
        const who = action.decider === "sea" ? "Sea" : "Forest";
        expect(prompt({ moment: action, seats: TWO, picks: [] })).toBe(
            `${who} – Pick one of your shamans, or an action tile.`,
        );
        const named: Seats = { forest: { ...person, name: "Anna" }, sea: { ...person, name: "Ben" } };
        expect(prompt({ moment: action, seats: named, picks: [] })).toMatch(/^(Anna \(Forest\)|Ben \(Sea\)) – Pick/);
        const inside = momentOf("inside-power");
        const decider = inside.decider === "sea" ? "Sea" : "Forest";
        const active = inside.active === "sea" ? "Sea" : "Forest";
        expect(prompt({ moment: inside, seats: TWO, picks: [] })).toMatch(
            new RegExp(`^${decider}, in ${active}’s turn – `),
        );
        expect(prompt({ moment: inside, seats: against(inside), picks: [] })).toMatch(
            new RegExp(`^Your choice in ${active}’s turn – `),
        );
    });

    test("the prompt states that the computer is thinking, and for how long", () => {
        const moment: Moment = { ...momentOf("action"), active: "sea", decider: "sea", choices: [] };
        const seats: Seats = { forest: person, sea: computer };
        expect(prompt({ moment, seats, picks: [], thinking: 0 })).toBe("Sea is thinking…");
        expect(prompt({ moment, seats, picks: [], thinking: 3 })).toBe("Sea is thinking… 3 s");
        const inside: Moment = { ...momentOf("DR"), active: "forest", decider: "sea", choices: [] };
        expect(prompt({ moment: inside, seats, picks: [] })).toBe("Sea decides what Deer Rock does…");
    });

    test("a held turn, a pending token, a review and the end each have their own prompt", () => {
        const moment = momentOf("action");
        // In the position, it is already the other tribe's turn.
        const next = moment.active === "sea" ? "forest" : "sea";
        const held: Moment = { ...moment, held: moment.active, active: next, decider: next, choices: [] };
        expect(prompt({ moment: held, seats: against(moment), picks: [] })).toBe("Confirm your turn, or take it back.");
        const build: Moment = { ...held, phase: "draw", active: "forest", held: "forest", decider: "chance" };
        const seats: Seats = { forest: person, sea: computer };
        expect(prompt({ moment: build, seats, picks: [] })).toBe(
            "Confirm to draw the new megalith, or take this back.",
        );
        const elsewhere = { seats: TWO, picks: [], mine: ["sea"] as const };
        expect(prompt({ moment: { ...held, held: "forest" }, ...elsewhere })).toBe(
            "Forest has not confirmed the turn yet.",
        );
        expect(prompt({ moment: build, ...elsewhere })).toBe("Forest has not confirmed the draw yet.");
        expect(prompt({ moment, seats: TWO, picks: [], pending: "a1-a2" })).toBe("Your choice is on its way…");
        expect(prompt({ moment, seats: TWO, picks: [], replay: { step: 3, of: 9 } })).toBe(
            "You are looking back: step 3 of 9.",
        );
        const over: Moment = { ...moment, outcome: { winner: "sea", reason: "score", rule: "G1" } };
        expect(prompt({ moment: over, seats: TWO, picks: [] })).toBe("Sea wins: three megaliths are built.");
    });

    test("the prompt tells players that they are about to win", () => {
        const [action, build] = [momentOf("action"), momentOf("build")];
        const asked = (moment: Moment): string => prompt({ moment, seats: against(moment), picks: [] });
        expect(asked({ ...action, next_wins: true })).toContain("one more megalith");
        expect(asked({ ...build, next_wins: true })).toMatch(/: it wins you the game\.$/);
        expect(asked({ ...build, next_wins: false })).not.toMatch(/wins/);
    });

    test("a transformation prompt mentions the target if there is only one", () => {
        const one = momentOf("transform");
        expect(prompt({ moment: one, seats: against(one), picks: [] })).toMatch(
            /^Transform the shaman on [a-e][1-5], or keep your turn as it is\.$/,
        );
        const several = momentOf("transform-several");
        expect(prompt({ moment: several, seats: against(several), picks: [] })).toBe(
            "Transform one of the marked shamans, or keep your turn as it is.",
        );
    });

    test("the prompt offers to stop if the loop guard allows it", () => {
        const moment = momentOf("stop");
        expect(prompt({ moment, seats: TWO, picks: [] })).toMatch(/ Or stop here\.$/);
    });

    test("the Shifting Stone's prompt includes the power that it copies", () => {
        const moment = momentOf("SH-DR");
        const choice = moment.choices.find((each) => each.token.startsWith("DR:"));
        const slot = choice?.paths[0]?.[0] ?? "";
        expect(prompt({ moment, seats: against(moment), picks: [slot] })).toContain(
            "The Shifting Stone as Deer Rock: pick a shaman next to it",
        );
    });
});
