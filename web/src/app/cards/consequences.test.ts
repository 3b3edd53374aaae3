import { beforeEach, describe, expect, test } from "vitest";

import type { Consequence, Moment } from "../../lib/client";
import { LANGUAGES, setLanguage } from "../../lib/i18n";
import { parsePosition } from "@cairn/board/position";
import { action, ADD, choice, consequence } from "../../test/choices";
import { momentOf, moments } from "../../test/recorded";
import { foretell, forcedSentence, linesOf, tagsOf, wouldDo } from "../sentences/consequences";
import { explain, optionsOf } from "./explanation";
import { hasCard } from "../sentences/labels";
import { clause, sentence } from "../sentences/narration";

const POSITION = "4S/3F1/5/1F3/F3F b3TS,c3AD,a3PS DRMD (CGCS) wofm 1-0 F";
const table = parsePosition(POSITION);
const activated = { kind: "activated", tribe: "forest", result: "done" } as const;
const MOMENT: Moment = {
    ...momentOf("action"),
    position: POSITION,
    phase: "action",
    decider: "forest",
    active: "forest",
    choices: [
        ADD,
        action("move", "b2", "b3"),
        action("move", "b2", "a3"),
        action("move", "b2", "c3"),
        action("move", "b2", "b1"),
        action("jump", "d4", "village:sea"),
    ],
    consequences: [
        consequence("+d1", { effects: [{ kind: "banished", tribe: "sea", space: "d1", power: null }] }),
        consequence("b2-b3", {
            effects: [
                { ...activated, code: "TS", space: "b3" },
                { kind: "banished", tribe: "forest", space: "b3", power: "TS" },
            ],
        }),
        consequence("b2-a3", {
            effects: [
                { ...activated, code: "PS", space: "a3" },
                { kind: "extra-turn", tribe: "forest", power: "PS" },
            ],
        }),
        consequence("b2-c3", {
            effects: [{ ...activated, result: "choice", code: "AD", space: "c3" }],
            next: ["d4", "slot:0"],
        }),
        consequence("d4-out", { scorer: "forest" }),
    ],
};

describe("in English", () => {
    beforeEach(() => setLanguage("en"));

    test("announces a forced effect before it happens", () => {
        expect(foretell(MOMENT, ["b2"])).toEqual([
            "On b3, Tumulus of Shadow banishes it.",
            "On a3, Pillars of Spring give you the next turn.",
            "On c3, you use Alley of Dusk.",
        ]);
        expect(foretell(MOMENT, ["tile:add"])).toEqual(["The enemy on d1 is banished."]);
        expect(foretell(MOMENT, [])).toEqual([]);
    });

    test("says before a move that it makes a transformation possible, and what that brings", () => {
        const found = (result: Partial<Consequence["transformations"][number]>) => ({
            ...MOMENT,
            consequences: [
                consequence("b2-b1", { transformations: [{ space: "e5", scores: true, wins: false, ...result }] }),
            ],
        });
        expect(foretell(found({}), ["b2"])).toEqual([
            "On b1, you can banish the enemy on e5 by a transformation: +1 point.",
        ]);
        expect(foretell(found({ wins: true }), ["b2"])).toEqual([
            "On b1, you can banish the enemy on e5 by a transformation and win.",
        ]);
        expect(foretell(found({ scores: false }), ["b2"])).toEqual([
            "On b1, you can banish the enemy on e5 by a transformation, without a point.",
        ]);
        expect(tagsOf(found({}), ["b2"]).b1).toEqual({ tiles: ["transformation", "move"], note: undefined });
        expect(linesOf(found({}))).toEqual([]);
        const power: Moment = { ...found({}), active: "sea", phase: "power", choices: [choice("b2-b1", ["b2 b1"])] };
        expect(foretell(power, ["b2"])).toEqual([
            "Then your opponent can banish your shaman on e5 by a transformation: +1 point.",
        ]);
        expect(tagsOf(power, ["b2"]).b1).toEqual({ tiles: [], note: "!" });
    });

    test("a point by the move itself keeps its tag", () => {
        const scoring = consequence("d4-out", {
            scorer: "forest",
            transformations: [{ space: "e5", scores: true, wins: false }],
        });
        const tags = tagsOf({ ...MOMENT, consequences: [scoring] }, ["d4"]);
        expect(tags).toEqual({ "village:sea": { tiles: ["jump"], note: "+1" } });
    });

    test("a win is told first, and a megalith that does nothing last, with the reason", () => {
        const nothing = { ...activated, result: "nothing", code: "AD", space: "c3" } as const;
        const moment: Moment = {
            ...MOMENT,
            consequences: [
                consequence("b2-c3", { effects: [nothing] }),
                ...MOMENT.consequences.filter(({ token }) => token === "b2-b3"),
                consequence("b2-b1", { transformations: [{ space: "e5", scores: true, wins: true }] }),
            ],
        };
        expect(foretell(moment, ["b2"])).toEqual([
            "On b1, you can banish the enemy on e5 by a transformation and win.",
            "On b3, Tumulus of Shadow banishes it.",
            "Alley of Dusk on c3 can do nothing, because no enemy stands next to it.",
        ]);
        const third = { ...moment, consequences: [consequence("b2-c3", { effects: [nothing], ignored: true })] };
        expect(foretell(third, ["b2"])).toEqual([sentence(clause(nothing, 3))]);
    });

    test("with nothing picked, the cards of the Add tile and of the space say that the enemy is banished", () => {
        const told = "If you add a shaman on d1, the enemy there is banished.";
        expect(explain("tile:add", table, MOMENT).now).toBe(`A shaman can be added on d1. ${told}`);
        expect(explain("d1", table, MOMENT).now).toContain(told);
        const free = { ...MOMENT, consequences: [] };
        expect(explain("tile:add", table, free).now).not.toContain("banished");
        expect(explain("d1", table, free).now).not.toContain("banished");
    });

    test("says so if an effect benefits the opponent", () => {
        const power: Moment = {
            ...MOMENT,
            phase: "power",
            power: "FC",
            choices: [choice("e5-out", ["e5 village:forest"]), choice("e5-c3", ["e5 c3"])],
            consequences: [
                consequence("e5-out", { scorer: "sea" }),
                consequence("e5-c3", {
                    effects: [{ kind: "activated", tribe: "sea", code: "AD", space: "c3", result: "choice" }],
                    next: ["d4"],
                }),
            ],
        };
        expect(foretell(power, ["e5"])).toEqual([
            "If it leaves the field, your opponent builds and scores.",
            "On c3, your opponent uses Alley of Dusk.",
        ]);
        expect(tagsOf(power, ["e5"])["village:forest"]).toEqual({ tiles: [], note: "!" });
    });

    test("tags each target with its tile, and with a note for a point or a forced effect", () => {
        expect(tagsOf(MOMENT, ["b2"])).toEqual({
            b3: { tiles: ["move"], note: "!" },
            a3: { tiles: ["move"], note: "!" },
            c3: { tiles: ["move"], note: undefined },
            b1: { tiles: ["move"], note: undefined },
        });
        expect(tagsOf(MOMENT, ["d4"])).toEqual({ "village:sea": { tiles: ["jump"], note: "+1" } });
        expect(tagsOf(MOMENT, [])).toEqual({});
    });

    test("a megalith's card says when and for whom it acts, and what it would do now", () => {
        const card = explain("c3", table, MOMENT);
        expect(card.when).toBe(
            "Acts when a shaman arrives here. The shaman’s owner must use the power if it can do anything.",
        );
        expect(card.now).toBe("Can be reached from b2. You could then pick: d4, Deer Rock.");
        expect(card.rule).toBe("P1");
        expect(explain("b3", table, MOMENT).when).toBe(
            "Acts at once when a shaman arrives here. There is nothing to choose.",
        );
        expect(wouldDo(MOMENT, "b3", table.upcoming)).toBe("Your shaman would be banished at once.");
        expect(wouldDo(MOMENT, "a3", table.upcoming)).toBe("The next turn would be yours, too.");
        const away = { ...MOMENT, choices: [ADD], consequences: [] };
        expect(explain("c3", table, away).now).toBe("None of your actions leads here now.");
    });

    test("a target's card names the tile that leads there and the face that it shows next", () => {
        expect(explain("b3", table, MOMENT, { picks: ["b2"] }).now).toBe(
            "Move leads here. The tile then shows “diagonal” to your opponent. On b3, Tumulus of Shadow banishes it.",
        );
    });

    test("after a target that gives an extra turn, the tile shows its other side to the same player", () => {
        expect(explain("a3", table, MOMENT, { picks: ["b2"] }).now).toBe(
            "Move leads here. The tile then shows “diagonal” to you. On a3, Pillars of Spring give you the next turn.",
        );
    });

    test("describes a forced effect after it has happened", () => {
        expect(
            forcedSentence([
                { kind: "moved", tribe: "forest", origin: "b2", target: "b3", way: "step", over: null, power: null },
                { kind: "flipped", tile: "move", face: "d", power: null },
                { ...activated, code: "TS", space: "b3" },
                { kind: "banished", tribe: "forest", space: "b3", power: "TS" },
            ]),
        ).toBe("Tumulus of Shadow banishes the Forest shaman from b3.");
        expect(forcedSentence([{ kind: "flipped", tile: "move", face: "d", power: null }])).toBe("");
    });
});

test("the line of three is drawn from end to end", () => {
    const consequences = [consequence("Tc3", { scorer: "forest", lines: [["b3", "c3", "d3"]] })];
    expect(linesOf({ ...MOMENT, phase: "transform", consequences })).toEqual([{ kind: "band", from: "b3", to: "d3" }]);
});

test("megaliths and tiles have cards", () => {
    for (const subject of ["b3", "tile:jump", "slot:0"]) expect(hasCard(subject, MOMENT)).toBe(true);
    for (const subject of ["a1", "b1", "village:sea"]) expect(hasCard(subject, MOMENT)).toBe(false);
});

test("megaliths are offered as cards if the next pick must be one of them", () => {
    setLanguage("en");
    const build: Moment = {
        ...MOMENT,
        phase: "build",
        choices: [choice("=DR", ["slot:0"]), choice("=MD", ["slot:1"])],
    };
    expect(optionsOf(build, [])).toEqual([
        { pick: "slot:0", code: "DR", action: "Build this one" },
        { pick: "slot:1", code: "MD", action: "Build this one" },
    ]);
    const replace: Moment = {
        ...MOMENT,
        phase: "power",
        power: "SS",
        choices: [
            choice("b3=DR", ["b3 slot:0", "slot:0 b3"], { power: "SS" }),
            choice("b3=MD", ["b3 slot:1", "slot:1 b3"], { power: "SS" }),
        ],
    };
    expect(optionsOf(replace, [])).toEqual([]); // a megalith on the field can be picked first
    expect(optionsOf(replace, ["b3"]).map(({ action: text }) => text)).toEqual(["Take this one", "Take this one"]);
    expect(optionsOf(MOMENT, [])).toEqual([]);
});

test.each(LANGUAGES)("describes every recorded consequence in %s", async (language) => {
    await setLanguage(language);
    for (const moment of Object.values(moments)) {
        const first = new Set(moment.choices.flatMap(({ paths }) => paths.flatMap(([pick = ""]) => pick)));
        for (const pick of first)
            for (const sentence of foretell(moment, [pick])) expect(sentence).toMatch(/^[\p{Lu}S«„].*\.$/u);
    }
});
