import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { LANGUAGES, type Language } from "../../lib/i18n";
import { isMegalith, MEGALITH_CODES } from "../../lib/megaliths";
import { lineOf, ruleAt, RULINGS, ruleShown, SECTIONS, SUMMARY, type LearnText } from "./contents";
import { piecesOf } from "./rich";
import de from "./text/de";
import en from "./text/en";
import fr from "./text/fr";
import ru from "./text/ru";

const TEXTS: Record<Language, LearnText> = { en, fr, de, ru };
const OTHERS = LANGUAGES.filter((language) => language !== "en");

/** Every sentence and title by its path, so that the languages can be compared. */
function leaves(value: unknown, place = ""): [string, string][] {
    if (typeof value === "string") return [[place, value]];
    return Object.entries(value as Record<string, unknown>).flatMap(([key, below]) => leaves(below, `${place}/${key}`));
}

function codesIn(sentence: string): string[] {
    return piecesOf(sentence).flatMap((piece) => (piece.kind === "megalith" ? piece.code : []));
}

const lessons = JSON.parse(readFileSync("../src/cairn/server/web/lessons.json", "utf-8")) as {
    lessons: { name: string }[];
};
const rules = readFileSync("../docs/rules.md", "utf-8");

describe.each(LANGUAGES)("the rules in %s", (language) => {
    const text = TEXTS[language];

    it("have every section, with a sentence for every rule", () => {
        expect(text.summary).toHaveLength(SUMMARY.length);
        expect(Object.keys(text.sections)).toEqual(SECTIONS.map(({ id }) => id));
        for (const { id, rules } of SECTIONS) expect(text.sections[id].points, id).toHaveLength(rules.length);
    });

    it("have rulings on all 17 megaliths", () => {
        expect(Object.keys(text.rulings).sort()).toEqual([...MEGALITH_CODES].sort());
        for (const [code, sentences] of Object.entries(text.rulings)) {
            expect(sentences, code).toHaveLength(RULINGS[code as keyof typeof RULINGS].length);
        }
    });

    it("mention only existing megaliths, and the same megaliths as in English", () => {
        const english = new Map(leaves(en));
        for (const [place, sentence] of leaves(text)) {
            expect(codesIn(sentence).every(isMegalith), place).toBe(true);
            expect(codesIn(sentence).sort(), place).toEqual(codesIn(english.get(place) ?? "").sort());
            expect(sentence.replaceAll(/\*\*[^*]+\*\*|\{[A-Z]{2}\}/g, ""), place).not.toMatch(/[*{}]/);
        }
    });

    it("repeat no sentence, and end each sentence with a full stop", () => {
        const sentences = [...text.summary, ...Object.values(text.sections).flatMap(({ points }) => [...points])];
        expect(new Set(sentences).size).toBe(sentences.length);
        for (const sentence of sentences) expect(sentence).toMatch(/[.]$/);
        for (const sentence of Object.values(text.rulings).flat()) expect(sentence).toMatch(/[.]$/);
    });
});

describe.each(OTHERS)("the rules in %s", (language) => {
    it("contain no untranslated text", () => {
        const english = new Map(leaves(en));
        const same = leaves(TEXTS[language]).filter(([place, sentence]) => english.get(place) === sentence);
        expect(same).toEqual([]);
    });
});

it("French uses no-break spaces and curly apostrophes", () => {
    for (const [place, sentence] of leaves(fr)) expect(sentence, place).not.toMatch(/'| [;:!?»]|« /);
});

it("Russian uses a no-break space before a dash, and no words in Latin letters", () => {
    for (const [place, sentence] of leaves(ru)) {
        expect(sentence, place).not.toMatch(/ —/);
        expect(sentence.replaceAll(/\{[A-Z]{2}\}|\b[a-e][1-5]\b/g, ""), place).not.toMatch(/(?<!C)[a-z]{2}/i);
    }
});

describe("rule numbers", () => {
    const places = SECTIONS.flatMap((section) => section.rules.map((_, index) => ruleAt(section, index) ?? ""));
    const found = places.filter((rule) => rule !== "");

    it("lead to one sentence each", () => {
        expect(new Set(found).size).toBe(found.length);
        expect(found).toContain("P6");
    });

    it.each([...Object.values(RULINGS).flat(), "G1", "G2", "G3"])("include %s, which another page cites", (rule) => {
        expect(found).toContain(rule);
    });

    it("are shown once for consecutive sentences about a rule, and always where links to it lead", () => {
        for (const section of SECTIONS) {
            section.rules.forEach((rule, index) => {
                if (ruleAt(section, index)) expect(ruleShown(section, index)).toBe(rule);
                expect(ruleShown(section, index) === undefined).toBe(rule === section.rules[index - 1]);
            });
        }
    });
});

describe("the examples", () => {
    const names = new Set(lessons.lessons.map(({ name }) => name));

    it.each(SECTIONS.flatMap(({ lines }) => [...lines]))("include the line %s", (name) => {
        expect(names).toContain(name);
    });

    it.each(MEGALITH_CODES)("include a line for %s", (code) => {
        expect(names).toContain(lineOf(code));
    });

    it("use every line in lessons.json", () => {
        const shown = new Set([...SECTIONS.flatMap(({ lines }) => [...lines]), ...MEGALITH_CODES.map(lineOf)]);
        expect([...names].filter((name) => !shown.has(name))).toEqual([]);
    });
});

describe("the rule number", () => {
    const cited = [...SECTIONS.flatMap(({ rules }) => [...rules]), ...Object.values(RULINGS).flat()];

    it.each([...new Set(cited)].filter(Boolean))("%s exists in the rules", (rule) => {
        expect(rules).toMatch(new RegExp(`\\*\\*${rule}\\.`));
    });
});

describe("splitting a sentence", () => {
    it("separates plain words, important words and megaliths", () => {
        expect(piecesOf("A **first** word on {DR}.")).toEqual([
            { kind: "plain", text: "A " },
            { kind: "strong", text: "first" },
            { kind: "plain", text: " word on " },
            { kind: "megalith", code: "DR" },
            { kind: "plain", text: "." },
        ]);
    });

    it("keeps a sentence without markup in one piece", () => {
        expect(piecesOf("Nothing here.")).toEqual([{ kind: "plain", text: "Nothing here." }]);
    });
});
