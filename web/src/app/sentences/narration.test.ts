import { stepsOfTurn } from "@cairn/board/turn";
import { beforeEach, describe, expect, test } from "vitest";

import type { Effect, Step } from "../../lib/client";
import { LANGUAGES, setLanguage } from "../../lib/i18n";
import { megalithName } from "../../lib/megaliths";
import {
    announcement,
    clause,
    ending,
    lastTurns,
    reasonOf,
    sentence,
    stepSentence,
    turnSentence,
    turnsOf,
    type Turn,
} from "./narration";
import { turns } from "../../test/recorded";
import { turnStepSentence } from "./turnSteps";

function turnOf(steps: Step[]): Turn {
    const [turn] = turnsOf(steps);
    if (!turn) throw new Error("no steps were recorded");
    return turn;
}

const step = (phase: Step["phase"], effects: Effect[], by: Step["by"] = "forest"): Step => ({
    token: "",
    by,
    active: "forest",
    turn: 7,
    phase,
    effects,
    position: "",
});

/** An example with a chain: Forest jumps onto the Fairies Circle, which moves one of Sea's shamans. */
const EXAMPLE: Turn = {
    number: 7,
    tribe: "forest",
    start: 12,
    steps: [
        step("action", [
            { kind: "moved", tribe: "forest", origin: "b1", target: "d3", way: "jump", over: "c2", power: null },
            { kind: "flipped", tile: "jump", face: "e", power: null },
            { kind: "activated", tribe: "forest", code: "FC", space: "d3", result: "choice" },
        ]),
        step("power", [
            { kind: "moved", tribe: "sea", origin: "c4", target: "c5", way: "power", over: null, power: "FC" },
        ]),
    ],
};

test("a turn with a chain is one correct sentence in each of the four languages", async () => {
    await setLanguage("en");
    expect(turnSentence(EXAMPLE)).toBe(
        "Forest jumps from b1 over c2 to d3: Fairies Circle moves a Sea shaman from c4 to c5.",
    );
    await setLanguage("fr");
    expect(turnSentence(EXAMPLE)).toBe(
        "La Forêt saute de b1 par-dessus c2 en d3\u00a0: «\u00a0Cercle des Fées\u00a0» déplace un chaman de la Mer de c4 en c5.",
    );
    await setLanguage("de");
    expect(turnSentence(EXAMPLE)).toBe(
        "Der Wald springt von b1 über c2 nach d3\u00a0– „Feenkreis“ bewegt einen Schamanen des Meeres von c4 nach c5.",
    );
    await setLanguage("ru");
    expect(turnSentence(EXAMPLE)).toBe(
        "Лес прыгает с b1 через c2 на d3: «Круг фей» перемещает шамана Моря с c4 на c5.",
    );
});

describe.each(LANGUAGES)("in %s", (language) => {
    beforeEach(() => setLanguage(language));

    test.each(Object.keys(turns))("a turn with %s is narrated in complete sentences", (kind) => {
        const steps = turns[kind] ?? [];
        const turn = turnOf(steps);
        const all = [
            turnSentence(turn),
            ...steps.flatMap((each, index) => [
                stepSentence(each, steps.slice(0, index)),
                announcement(each, steps.slice(0, index)),
            ]),
        ];
        for (const text of all) {
            expect(text).toMatch(/\.$/);
            expect(text).not.toMatch(/[{}]|story\.|undefined|\bnull\b|\.\./);
            expect(text.charAt(0)).toBe(text.charAt(0).toLocaleUpperCase(language));
        }
    });

    test("the two tribes are never confused", () => {
        const other = (effect: Effect): Effect =>
            "tribe" in effect ? { ...effect, tribe: effect.tribe === "forest" ? "sea" : "forest" } : effect;
        for (const steps of Object.values(turns)) {
            for (const effect of steps.flatMap((each) => each.effects)) {
                if (!("tribe" in effect) || effect.kind === "nothing-built") continue;
                if (effect.kind === "activated" && effect.result === "nothing") continue;
                expect(clause(effect), effect.kind).not.toBe(clause(other(effect)));
            }
        }
    });

    test("every ending has its own sentence", () => {
        const reasons = ["score", "no-action", "repetition", "agreement", "resignation", "time", "abandoned"];
        const told = new Set(reasons.map((reason) => ending({ winner: "forest", reason })));
        expect(told.size).toBe(reasons.length);
        expect(ending({ winner: "forest", reason: "score" })).not.toBe(ending({ winner: "sea", reason: "score" }));
    });
});

test("reasonOf returns the reason for an ending without the result", async () => {
    await setLanguage("fr");
    const end = { winner: "forest", reason: "score" } as const;
    expect(ending(end)).toBe("La Forêt gagne\u00a0: trois mégalithes sont construits");
    expect(sentence(reasonOf(end))).toBe("Trois mégalithes sont construits.");
    expect(ending({ winner: null, reason: "agreement" })).toMatch(/^Partie nulle\u00a0: /);
});

test("lastTurns includes all consecutive turns of the last tribe", () => {
    const [sea, first, second] = [
        { ...step("action", []), active: "sea" as const },
        step("action", []),
        step("action", []),
    ];
    expect(lastTurns([first, sea, first, { ...second, turn: 8 }])).toEqual([first, { ...second, turn: 8 }]);
    expect(lastTurns([first, sea])).toEqual([sea]);
    expect(lastTurns([])).toEqual([]);
});

test("Russian: cases and plural forms", async () => {
    await setLanguage("ru");
    const built = (score: number): string =>
        clause({ kind: "built", tribe: "sea", code: "DR", space: "c3", slot: 0, score, power: null });
    expect(built(1)).toBe("Море строит на c3 мегалит «Оленья скала», теперь 1 очко");
    expect(built(2)).toBe("Море строит на c3 мегалит «Оленья скала», теперь 2 очка");
    expect(clause({ kind: "extra-turn", tribe: "sea", power: "PS" })).toBe("«Столпы весны» дарят следующий ход Морю");
    expect(clause({ kind: "transformed", tribe: "forest", space: "c3", start: "b3", end: "d3" })).toBe(
        "Лес делает трансформацию и\u00a0изгоняет шамана Моря с\u00a0c3",
    );
    expect(ending({ winner: "forest", reason: "no-action" })).toBe("Лес побеждает: у Моря не осталось действий");
});

test("German: cases", async () => {
    await setLanguage("de");
    expect(clause({ kind: "extra-turn", tribe: "sea", power: "PS" })).toBe(
        "„Säulen des Frühlings“ schenken dem Meer den nächsten Zug",
    );
    expect(clause({ kind: "banished", tribe: "forest", space: "c3", power: null })).toBe(
        "der Schamane des Waldes auf c3 wird verbannt",
    );
});

test("English: obvious effects are omitted from the sentence of a turn but included in that of a step", async () => {
    await setLanguage("en");
    const turn: Turn = {
        number: 7,
        tribe: "forest",
        start: 0,
        steps: [
            step("action", [
                { kind: "moved", tribe: "forest", origin: "a1", target: "a2", way: "step", over: null, power: null },
                { kind: "flipped", tile: "move", face: "d", power: null },
            ]),
            step("transform", [{ kind: "passed", tribe: "forest" }]),
        ],
    };
    expect(turnSentence(turn)).toBe("Forest moves from a1 to a2.");
    expect(stepSentence(turn.steps[1] as Step)).toBe("Forest skips the transformation.");
    expect(announcement(turn.steps[0] as Step)).toBe(
        "Forest moves from a1 to a2. The Move tile now shows diagonal steps.",
    );
});

test("the sentence attributes a copied power to the original megalith, and a banishment to the Tumulus", async () => {
    await setLanguage("en");
    const turn: Turn = {
        number: 7,
        tribe: "forest",
        start: 0,
        steps: [
            step("action", [
                { kind: "added", tribe: "forest", space: "d1", power: null },
                { kind: "activated", tribe: "forest", code: "SH", space: "d1", result: "choice" },
            ]),
            step("power", [
                { kind: "copied", code: "HP" },
                { kind: "moved", tribe: "forest", origin: "a1", target: "a2", way: "power", over: null, power: "HP" },
                { kind: "activated", tribe: "forest", code: "TS", space: "a2", result: "done" },
                { kind: "banished", tribe: "forest", space: "a2", power: "TS" },
            ]),
        ],
    };
    expect(turnSentence(turn)).toBe(
        "Forest adds a shaman on d1: The Shifting Stone uses the power of Haven of Purity; " +
            "Haven of Purity moves a Forest shaman from a1 to a2; Tumulus of Shadow banishes the Forest shaman from a2.",
    );
});

describe("the third arrival on a megalith in a turn (P6)", () => {
    const arrival = (space: string, result: "choice" | "nothing", tribe: "forest" | "sea" = "forest"): Step =>
        step("power", [{ kind: "activated", tribe, code: "MD", space, result }]);
    const [first, second, third] = [arrival("b3", "choice"), arrival("b3", "choice"), arrival("b3", "nothing")];
    const silent = "Menhir of the Dancers on b3 stays silent, because this is its third time this turn.";
    const nothing = "Menhir of the Dancers on b3 can do nothing, because the shaman on it cannot move.";

    beforeEach(() => setLanguage("en"));

    test("is described as such in a turn, a step and an announcement", () => {
        expect(turnSentence(turnOf([first, second, third]))).toBe(silent);
        expect(stepSentence(third, [first, second])).toBe(silent);
        expect(announcement(third, [first, second])).toBe(silent);
    });

    test("is not confused with a power that can do nothing", () => {
        expect(turnSentence(turnOf([first, third]))).toBe(nothing);
        expect(stepSentence(third, [])).toBe(nothing);
        const others = [arrival("b3", "choice", "sea"), { ...first, turn: 6 }];
        expect(announcement(third, [...others, second])).toBe(nothing);
    });
});

test("an announcement mentions the banishment of a transformation once", async () => {
    await setLanguage("en");
    const made = step("transform", [
        { kind: "transformed", tribe: "forest", space: "c3", start: "b3", end: "d3" },
        { kind: "flipped", tile: "transformation", face: "e", power: null },
        { kind: "banished", tribe: "sea", space: "c3", power: null },
    ]);
    expect(announcement(made)).toBe(
        "Forest makes a transformation and banishes the Sea shaman from c3. " +
            "The Transformation tile now shows the enemy at the end.",
    );
});

test("adding a shaman onto an enemy is told in one clause, the addition first", async () => {
    const added = step("action", [
        { kind: "banished", tribe: "forest", space: "d5", power: null },
        { kind: "added", tribe: "sea", space: "d5", power: null },
        { kind: "flipped", tile: "add", face: "b", power: null },
    ]);
    const said = {
        en: "Sea adds a shaman on d5 and banishes the Forest shaman there.",
        fr: "La Mer ajoute un chaman en d5 et y bannit celui de la Forêt.",
        de: "Das Meer setzt einen Schamanen auf d5 ein und verbannt von dort den Schamanen des Waldes.",
        ru: "Море добавляет шамана на d5 и\u00a0изгоняет оттуда шамана Леса.",
    };
    for (const language of LANGUAGES) {
        await setLanguage(language);
        expect(stepSentence(added)).toBe(said[language]);
        expect(turnSentence(turnOf([added]))).toBe(said[language]);
        expect(announcement(added)).toContain(said[language]);
        expect(stepsOfTurn(added.effects).map((each) => turnStepSentence(each))).toEqual([said[language]]);
    }
});

test("steps are grouped by turn", () => {
    const numbers = turnsOf([...(turns.added ?? []), ...(turns["ended-score"] ?? [])]).map((turn) => turn.number);
    expect(new Set(numbers).size).toBe(numbers.length);
});

test.each(LANGUAGES)("a power that can do nothing says why, for every megalith, in %s", async (language) => {
    await setLanguage(language);
    const kinds = ["AD", "CD", "CG", "CS", "DR", "FC", "HE", "HP", "MD", "SA", "SH", "SS", "SW", "WC"];
    const told = kinds.map((code) =>
        clause({ kind: "activated", tribe: "sea", code, space: "b3", result: "nothing" }).replace(
            megalithName(code),
            "",
        ),
    );
    // Each has a reason of its own, not the one that stands for "other".
    const other = clause({ kind: "activated", tribe: "sea", code: "PS", space: "b3", result: "nothing" });
    expect(new Set([...told, other.replace(megalithName("PS"), "")]).size).toBe(kinds.length + 1);
});
