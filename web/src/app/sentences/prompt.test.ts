import { beforeEach, describe, expect, test } from "vitest";

import type { Moment, Seats } from "../../lib/client";
import { LANGUAGES, setLanguage } from "../../lib/i18n";
import { MEGALITH_CODES, megalithName } from "../../lib/megaliths";
import { nextPicks } from "../../lib/picking";
import { POWER_ASKS, prompt } from "./prompt";
import { action, choice } from "../../test/choices";
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
                expect(text, picks.join()).not.toMatch(/[{}]|play\.\w|story\.\w|undefined|null/);
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
        expect(prompt({ moment: own, seats, picks: [] })).toBe(
            "Deer Rock: pick a shaman next to this stone, of either tribe.",
        );
        const first = moment.choices[0]?.paths[0]?.[0] ?? "";
        expect(prompt({ moment: own, seats, picks: [first] })).toBe(
            `Deer Rock: where should the shaman on ${first} go? On b3, you use Fairies Circle.`,
        );
    });

    test("with two players at one screen, the prompt states who decides, even during the opponent's turn", () => {
        const action: Moment = { ...momentOf("action"), turn: 3 };
        const who = action.decider === "sea" ? "Sea" : "Forest";
        expect(prompt({ moment: action, seats: TWO, picks: [] })).toBe(
            `${who} to play. Pick one of your shamans, or an action tile.`,
        );
        const named: Seats = { forest: { ...person, name: "Anna" }, sea: { ...person, name: "Ben" } };
        expect(prompt({ moment: action, seats: named, picks: [] })).toMatch(
            /^(Anna \(Forest\)|Ben \(Sea\)) to play\. Pick/,
        );
        const inside = momentOf("inside-power");
        const decider = inside.decider === "sea" ? "Sea" : "Forest";
        const active = inside.active === "sea" ? "Sea" : "Forest";
        expect(prompt({ moment: inside, seats: TWO, picks: [] })).toMatch(
            new RegExp(`^${decider} decides during ${active}’s turn\\. `),
        );
        expect(prompt({ moment: inside, seats: against(inside), picks: [] })).toMatch(
            new RegExp(`^Your choice during ${active}’s turn\\. `),
        );
    });

    test("the prompt states that the computer is thinking, and for how long", () => {
        const moment: Moment = { ...momentOf("action"), active: "sea", decider: "sea", choices: [] };
        const seats: Seats = { forest: person, sea: computer };
        expect(prompt({ moment, seats, picks: [], thinking: 0 })).toBe("The computer (Sea) is thinking…");
        expect(prompt({ moment, seats, picks: [], thinking: 3 })).toBe("The computer (Sea) is thinking… 3 s");
        const inside: Moment = { ...momentOf("DR"), active: "forest", decider: "sea", choices: [] };
        expect(prompt({ moment: inside, seats, picks: [] })).toBe(
            "The computer (Sea) is deciding what Deer Rock does…",
        );
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
        expect(prompt({ moment: build, ...elsewhere })).toBe("Forest has not drawn the new megalith yet.");
        expect(prompt({ moment, seats: TWO, picks: [], pending: "a1-a2" })).toBe("Sending your choice…");
        expect(prompt({ moment, seats: TWO, picks: [], replay: { step: 3, of: 9 } })).toBe(
            "You are reviewing the game: step 3 of 9.",
        );
        const over: Moment = { ...moment, outcome: { winner: "sea", reason: "score", rule: "G1" } };
        expect(prompt({ moment: over, seats: TWO, picks: [] })).toBe("Sea wins: three megaliths are built.");
    });

    test("the prompt tells players that they are about to win", () => {
        const [action, build] = [momentOf("action"), momentOf("build")];
        const asked = (moment: Moment): string => prompt({ moment, seats: against(moment), picks: [] });
        expect(asked({ ...action, next_wins: true })).toContain("one more megalith");
        expect(asked({ ...build, next_wins: true })).toMatch(
            /^This wins you the game: choose a megalith for [a-e][1-5]\.$/,
        );
        expect(asked({ ...build, next_wins: false })).toMatch(
            /^You score a point: choose a megalith for [a-e][1-5]\.$/,
        );
    });

    test("the first turns explain that there is one action, and that its tile is flipped", () => {
        const action = momentOf("action");
        const asked = (turn: number): string =>
            prompt({ moment: { ...action, turn, next_wins: false }, seats: against(action), picks: [] });
        for (const turn of [1, 2]) expect(asked(turn)).toMatch(/one action.*flipped/);
        expect(asked(3)).toBe("Pick one of your shamans, or an action tile.");
    });

    test("a shaman that leaves builds only on a space without a megalith (E4)", () => {
        const leaving: Moment = {
            ...momentOf("action"),
            active: "forest",
            decider: "forest",
            position: "S1S1F/5/5/5/F1F2 b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F",
            choices: [action("move", "e5", "e4"), action("move", "e5", "village:sea")],
        };
        const seats: Seats = { forest: person, sea: computer };
        expect(prompt({ moment: leaving, seats, picks: ["e5"] })).toBe(
            "Where to from e5? If it leaves through Sea’s village, you build on e5 and score.",
        );
        const position = leaving.position.replace("d3CD", "d3CD,e5SA");
        expect(prompt({ moment: { ...leaving, position }, seats, picks: ["e5"] })).toBe(
            "Where to from e5? If it leaves through Sea’s village, nothing is built: a megalith stands on e5.",
        );
    });

    /** A transformation prompt for enemies on these spaces, with megaliths on `stones`. */
    function transforming(enemies: readonly string[], stones: readonly string[]): string {
        const codes = ["AD", "CS", "PS"];
        const placed = stones.map((space, index) => `${space}${codes[index]}`).join();
        const moment: Moment = {
            ...momentOf("transform"),
            active: "forest",
            decider: "forest",
            position: `5/5/5/5/5 ${placed || "-"} DRMD - wofm 0-0 F`,
            choices: [...enemies.map((space) => choice(`x${space}`, [space])), choice("pass", ["button:pass"])],
        };
        return prompt({ moment, seats: { forest: person, sea: computer }, picks: [] });
    }

    test("a transformation prompt promises a point only on a space without a megalith (E4)", () => {
        expect(transforming(["c3"], [])).toBe("Banish the enemy on c3 and build there for a point, or skip.");
        expect(transforming(["c3"], ["c3"])).toBe(
            "Banish the enemy on c3, or skip. Nothing is built: a megalith stands there.",
        );
        expect(transforming(["a2", "c3"], ["b5"])).toBe(
            "Banish a marked enemy and build in its place for a point, or skip.",
        );
        expect(transforming(["a2", "c3"], ["c3"])).toBe(
            "Banish a marked enemy, or skip. You build and score only where no megalith stands.",
        );
        expect(transforming(["a2", "c3"], ["a2", "c3"])).toBe(
            "Banish a marked enemy, or skip. Nothing is built: megaliths stand there.",
        );
    });

    test("the prompt offers to stop if the loop guard allows it", () => {
        const moment = momentOf("stop");
        expect(prompt({ moment, seats: TWO, picks: [] })).toMatch(/ Or stop here: it is the second time this turn\.$/);
    });

    test("the Shifting Stone's prompt includes the power that it copies", () => {
        const moment = momentOf("SH-DR");
        const choice = moment.choices.find((each) => each.token.startsWith("DR:"));
        const slot = choice?.paths[0]?.[0] ?? "";
        expect(prompt({ moment, seats: against(moment), picks: [slot] })).toContain(
            "The Shifting Stone as Deer Rock: pick a shaman next to this stone",
        );
    });
});

describe("a sealed draw", () => {
    beforeEach(() => setLanguage("en"));
    const moment: Moment = { ...momentOf("action"), phase: "draw", decider: "chance", choices: [] };
    const said = (awaited: ("forest" | "sea")[], mine: ("forest" | "sea")[] = ["forest"], position = moment.position) =>
        prompt({ moment: { ...moment, position }, seats: TWO, picks: [], mine, awaited });

    test("names the browser that it is waiting for only after a while", () => {
        expect(said([])).toBe("A tile is being drawn…");
        expect(said(["sea"])).toBe("The draw is waiting for the other player’s browser…");
        expect(said(["forest"])).toBe("The draw is waiting for your browser…");
        expect(said(["forest"], [])).toBe("The draw is waiting for a player’s browser…");
        expect(said(["forest", "sea"])).toBe("The draw is waiting for both players’ browsers…");
    });
    test("is described as the start if it draws the starting position", () => {
        const start = "S1S1S/5/5/5/F1F1F - ---- - wofm 0-0 F";
        expect(said(["sea"], ["forest"], start)).toBe("The start is waiting for the other player’s browser…");
    });
});
