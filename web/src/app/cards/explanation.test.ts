import { beforeEach, describe, expect, test } from "vitest";

import type { Moment } from "../../lib/client";
import { LANGUAGES, setLanguage } from "../../lib/i18n";
import { parsePosition, SPACES } from "@cairn/board/position";
import { action, ADD, choice, consequence } from "../../test/choices";
import { explain, explanationText } from "./explanation";
import { label, targetsSentence } from "../sentences/labels";
import { momentOf, moments } from "../../test/recorded";

const table = parsePosition("S1S1S/5/5/2F2/F3F b3CG,c3DR MDPS (ADCSSA)SW wofm 1-0 F");
const asked: Moment = {
    ...momentOf("action"),
    phase: "action",
    choices: [
        ADD,
        action("move", "a1", "a2"),
        action("move", "c2", "c3"),
        action("jump", "a1", "c3"),
        action("move", "c2", "village:sea"),
    ],
    consequences: ["c2-c3", "a1-c3"].map((token) =>
        consequence(token, {
            effects: [{ kind: "activated", tribe: "forest", code: "DR", space: "c3", result: "choice" }],
            next: ["a1", "c2"],
        }),
    ),
};
const SUBJECTS = [
    ...SPACES,
    ...["slot:0", "slot:1", "deck", "village:forest", "village:sea"],
    ...["tile:add", "tile:move", "tile:jump", "tile:transformation"],
];

describe("in English", () => {
    beforeEach(() => setLanguage("en"));

    test("labels everything", () => {
        expect(label("a5", table)).toBe("a5, Sea shaman");
        expect(label("c3", table)).toBe("c3, Deer Rock");
        expect(label("a2", table)).toBe("a2, empty");
        expect(label("village:forest", table)).toBe("Forest’s village: 2 shamans wait, score 1");
        expect(label("slot:1", table)).toBe("Upcoming: Pillars of Spring");
        expect(label("tile:jump", table)).toBe("Jump: over a friend");
        expect(label("deck", table)).toBe("Deck: 4 tiles");
    });

    test("explains where a shaman can go, and with which tile", () => {
        expect(explain("a1", table, asked).now).toBe("Move: a2. Jump: c3.");
        expect(explain("c2", table, asked).now).toBe("Move: c3, off the field.");
    });

    test("explains what a megalith does and where it can be reached from", () => {
        const about = explain("c3", table, asked);
        expect(about.title).toBe("Deer Rock");
        expect(about.lines[0]).toMatch(/^Move a shaman/);
        expect(about.now).toBe("Can be reached from c2 and a1. You could then pick: a1, c2.");
    });

    test("explains both faces of a tile and who can use it", () => {
        const about = explain("tile:move", table, asked);
        expect(about.lines[1]).toBe("On the other side: diagonal. A tile is flipped after use.");
        expect(about.now).toBe("The shamans on a1 and c2 can use it.");
        expect(explain("tile:jump", table, asked).now).toBe("The shaman on a1 can use it.");
        const none = { ...asked, choices: asked.choices.filter((choice) => choice.tile !== "jump") };
        expect(explain("tile:jump", table, none).now).toBe("None of your shamans can jump over a friend now.");
    });

    test("includes powers copied by the Shifting Stone, and does not list a megalith's move as a shaman's move", () => {
        const copies: Moment = {
            ...asked,
            phase: "power",
            power: "SH",
            choices: [
                choice("DR:c2-out", ["slot:0 c2 village:sea"], { power: "DR" }),
                choice("DR:c2-d3", ["slot:0 c2 d3"], { power: "DR" }),
                choice("SA:b3~c4", ["slot:1 b3 c4"], { power: "SA", aim: "megalith" }),
                choice("MM:flip-add", ["slot:1 tile:add"], { power: "MM" }),
            ],
        };
        expect(explain("c2", table, copies).now).toBe("Destinations: off the field, d3.");
        expect(explain("village:sea", table, copies).now).toBe("Can leave through here: c2.");
        expect(explain("d3", table, copies).now).toBe("Can be reached from c2.");
        expect(explain("c4", table, copies).now).toBeNull();
        expect(explain("tile:add", table, copies).now).toBe("Can be picked.");
        expect(explain("tile:jump", table, copies).now).toBeNull();
    });

    test("lists the tiles left in the deck, in order if the order is known", () => {
        const { tiles } = explain("deck", table, asked);
        expect(tiles?.map(({ codes }) => codes)).toEqual([["AD", "CS", "SA"], ["SW"]]);
    });

    test("explains when an empty slot will be filled, and mentions an empty deck only if the deck is empty", () => {
        const line = (text: string, draws?: "over" | "confirmed") =>
            explain("slot:0", parsePosition(text), null, draws ? { draws } : {}).lines.join(" ");
        const drawing = "S1S1S/5/5/2F2/F3F b3CG,c3DR --PS (ADCSSA)SW wofm 1-0 F";
        expect(line(drawing, "confirmed")).toBe("A tile is drawn here once the choice is confirmed.");
        expect(line(drawing, "over")).toMatch(/^The game is over/);
        expect(line(drawing)).toBe("A tile is drawn here next.");
        const empty = "S1S1S/5/5/2F2/F3F b3CG,c3DR --PS - wofm 1-0 F";
        expect(line(empty, "confirmed")).toBe("The deck has no tile left for this slot.");
    });

    test("does not explain what is possible if there are no choices", () => {
        for (const subject of SUBJECTS) expect(explain(subject, table, null).now).toBeNull();
    });
});

describe.each(LANGUAGES)("in %s", (language) => {
    beforeEach(() => setLanguage(language));

    test("labels and explains everything in every kind of moment", () => {
        for (const moment of Object.values(moments)) {
            const there = parsePosition(moment.position);
            for (const subject of SUBJECTS) {
                const about = explain(subject, there, moment);
                const text = [label(subject, there), about.title, ...about.lines, about.now ?? ""].join(" ");
                expect(text).not.toMatch(/[{}]|play\.\w|story\.\w|undefined/);
            }
        }
    });
});

describe("for screen readers", () => {
    beforeEach(() => setLanguage("en"));

    const moment = {
        choices: [action("move", "a1", "a2"), action("jump", "a1", "c3"), ADD],
        phase: "action",
    } as Moment;

    test("lists a shaman's targets tile by tile", () => {
        expect(targetsSentence(moment, [])).toBeNull();
        expect(targetsSentence(moment, ["a1"])).toBe("Move: a2. Jump: c3.");
        expect(targetsSentence(moment, ["tile:jump"])).toBe("The shaman on a1 can use it.");
        expect(targetsSentence(moment, ["tile:jump", "a1"])).toBe("Destinations: c3.");
        expect(targetsSentence(moment, ["village:forest"])).toBe("Destinations: d1.");
    });

    test("returns an explanation as plain text, without the title", () => {
        const table = parsePosition("S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F");
        expect(explanationText(explain("b3", table, null))).toMatch(/^Banish an enemy shaman/);
        expect(explanationText(explain("deck", table, null))).toContain("Alley of Dusk");
    });
});
