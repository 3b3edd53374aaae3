import { beforeEach, describe, expect, test } from "vitest";

import type { Moment, Seats } from "../../lib/client";
import { LANGUAGES, setLanguage } from "../../lib/i18n";
import { SPACES } from "@cairn/board/position";
import { action, ADD, choice, consequence } from "../../test/choices";
import { pickNext } from "../../lib/picking";
import { momentOf, moments } from "../../test/recorded";
import { refusal, refusalSentence, undoRefusal, type Refused } from "./refusal";

const person = { kind: "person", level: null, name: null } as const;
const computer = { kind: "computer", level: 1, name: null } as const;
const TWO: Seats = { forest: person, sea: person };

const START: Moment = {
    ...momentOf("action"),
    position: "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F",
    active: "forest",
    decider: "forest",
    choices: [ADD, action("move", "a1", "a2"), action("move", "a1", "b1"), action("jump", "c1", "e3")],
};

function why(pick: string, picks: string[] = [], more: Partial<Refused> = {}): string {
    return refusal({ moment: START, seats: TWO, picks, pick, pending: false, replay: false, ...more }).key;
}

describe("an action", () => {
    test.each([
        ["an enemy's shaman", "c5", [], "play.refused.notYours"],
        ["an empty space", "c3", [], "play.refused.nobody"],
        ["a shaman that cannot move", "e1", [], "cards.refused.stuck"],
        ["an occupied target", "c5", ["a1"], "play.refused.taken"],
        ["a space out of reach", "e4", ["a1"], "cards.refused.unreachable"],
        ["a space out of reach of a picked tile", "e4", ["tile:move", "a1"], "cards.refused.byTile"],
        ["a shaman that this tile does not move", "a1", ["tile:jump"], "cards.refused.notByTile"],
        ["an upcoming megalith", "slot:0", [], "play.refused.slot"],
        ["the transformation tile", "tile:transformation", [], "play.refused.transformation"],
        ["the enemy village", "village:sea", [], "play.refused.enemyVillage"],
        ["leaving from a space where it is not possible", "village:sea", ["a1"], "play.refused.noExit"],
    ])("refuses %s", (_, pick, picks, key) => {
        expect(why(pick, picks)).toBe(key);
    });

    test("refuses an enemy on the totem, and says how to add a shaman there", async () => {
        await setLanguage("en");
        const moment = {
            ...START,
            position: "S3S/5/5/5/F1FSF b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F",
            choices: [choice("+d1", ["village:forest d1", "tile:add d1"], { tile: "add" }), ...START.choices.slice(1)],
            consequences: [
                consequence("+d1", { effects: [{ kind: "banished", tribe: "sea", space: "d1", power: null }] }),
            ],
        };
        expect(pickNext(moment.choices, [], "d1").kind).toBe("refused");
        expect(why("d1", [], { moment })).toBe("cards.refused.onto");
        expect(why("d1", ["a1"], { moment })).toBe("play.refused.taken");
        expect(refusalSentence({ moment, seats: TWO, picks: [], pick: "d1", pending: false, replay: false })).toBe(
            "That is a Sea shaman. To banish it by adding a shaman on d1, pick your village or the Add tile first.",
        );
    });

    test("refuses a tile that cannot be used", () => {
        const choices = START.choices.filter((choice) => choice.tile !== "jump");
        expect(why("tile:jump", [], { moment: { ...START, choices } })).toBe("cards.unusable");
    });
});

describe("a refusal explains", () => {
    const sentence = (pick: string, picks: string[] = []) =>
        refusalSentence({ moment: START, seats: TWO, picks, pick, pending: false, replay: false });

    test("what the tiles show", () => {
        setLanguage("en");
        expect(sentence("e4", ["a1"])).toBe(
            "e4 is out of reach: the Move tile shows “straight” now, the Jump tile “over a friend”.",
        );
        expect(sentence("e4", ["tile:move", "a1"])).toBe("e4 is out of reach: the Move tile shows “straight” now.");
        expect(sentence("e1")).toMatch(/^The shaman on e1 has nowhere to go: the Move tile shows “straight”/);
    });

    test("why a tile cannot be used", () => {
        setLanguage("en");
        const choices = START.choices.filter((choice) => choice.tile !== "jump");
        const moment = { ...START, choices };
        expect(
            refusalSentence({ moment, seats: TWO, picks: [], pick: "tile:jump", pending: false, replay: false }),
        ).toBe("None of your shamans can jump over a friend now.");
    });
});

describe("when nothing can be picked, the refusal", () => {
    test("states that the computer is thinking", () => {
        const seats: Seats = { forest: computer, sea: person };
        expect(why("a1", [], { seats, moment: { ...START, choices: [] } })).toBe("play.refused.thinking");
    });

    test("mentions a held turn, a pending token, the end of the game, or a review", () => {
        expect(why("a1", [], { moment: { ...START, held: "forest", choices: [] } })).toBe("play.refused.held");
        expect(why("a1", [], { moment: { ...START, held: "forest", choices: [] }, mine: ["sea"] })).toBe(
            "online.prompt.held",
        );
        expect(why("a1", [], { pending: true })).toBe("play.refused.pending");
        const outcome = { winner: null, reason: "repetition", rule: "G3" } as const;
        expect(why("a1", [], { moment: { ...START, outcome, choices: [] } })).toBe("play.refused.over");
        expect(why("a1", [], { replay: true })).toBe("play.refused.replay");
    });
});

describe.each(LANGUAGES)("in %s", (language) => {
    beforeEach(() => setLanguage(language));

    test("every reason why nothing can be undone has its own sentence", () => {
        const told = (["drawn", "nothing", "other", "over", "asking", "watching"] as const).map(undoRefusal);
        expect(new Set(told).size).toBe(told.length);
        for (const text of told) expect(text).toMatch(/^[^{}]+\.$/);
    });

    test("every invalid tap in every kind of moment has a sentence", () => {
        const subjects = [
            ...SPACES,
            "slot:0",
            "slot:1",
            "tile:add",
            "tile:move",
            "tile:jump",
            "tile:transformation",
            "village:forest",
            "village:sea",
        ];
        for (const [kind, moment] of Object.entries(moments)) {
            for (const pick of subjects) {
                const first = moment.choices[0]?.paths[0]?.[0] ?? "";
                for (const picks of [[], [first]]) {
                    if (pickNext(moment.choices, picks, pick).kind !== "refused") continue;
                    const text = refusalSentence({ moment, seats: TWO, picks, pick, pending: false, replay: false });
                    expect(text, `${kind}: ${picks.join()} ${pick}`).toMatch(/\.$/);
                    expect(text).not.toMatch(/[{}]|play\.|undefined/);
                }
            }
        }
    });
});
