import { describe, expect, test } from "vitest";

import table from "../../../../src/cairn/megaliths.json";

/** Checks the rules in docs/translation.md that can be checked automatically: typography and consistent terms. */
const files = import.meta.glob<Record<string, string>>(
    ["../../messages/*.*.json", "../../../../src/cairn/messages/*.json"],
    { eager: true, import: "default" },
);
const rules = import.meta.glob<object>("../../app/learn/text/*.ts", { eager: true, import: "default" });
const lessons = import.meta.glob<object>("../../app/tutorial/text/*.ts", { eager: true, import: "default" });

/** All texts inside an object or array, with the path to each. */
function textsIn(content: unknown, path: string): [string, string][] {
    if (typeof content === "string") return [[path, content]];
    return Object.entries(content ?? {}).flatMap(([key, value]) => textsIn(value, `${path}.${key}`));
}

/** Every text that the pages show in a language: messages, rules, lessons, and megalith names and powers. */
function allTexts(language: string): [string, string][] {
    const messages = Object.entries(files).filter(([path]) => path.endsWith(`.${language}.json`));
    return [
        // "save!" is a command that users type.
        ...messages.flatMap(([, own]) =>
            Object.entries(own).map(([key, text]): [string, string] => [key, text.replaceAll("save!", "save")]),
        ),
        ...textsIn(rules[`../../app/learn/text/${language}.ts`], "learn"),
        ...textsIn(lessons[`../../app/tutorial/text/${language}.ts`], "tutorial"),
        ...table.flatMap(({ code, name, power }): [string, string][] => [
            // The table contains the names as printed; the build makes their apostrophes curly.
            [`${code}.name`, (name as Record<string, string>)[language]?.replaceAll("'", "’") ?? ""],
            [`${code}.power`, (power as Record<string, string>)[language] ?? ""],
        ]),
    ];
}

/** For each language, the patterns that its messages must not contain, and what each pattern detects. */
const FAULTS: Record<string, readonly (readonly [RegExp, string])[]> = {
    en: [
        [/\w'\w|"\w+"(?!\])/, "straight quotation marks"],
        [/ – /, "a spaced dash"],
        [/\b(construct|rais(e|es|ing)\b|wakes?\b)/i, "another word for build or activate"],
    ],
    fr: [
        [/'/, "a straight apostrophe"],
        [/ [:;!?»]|« /, "an ordinary space instead of a no-break space"],
        [/[\p{L}\d}][;!?»]/u, "no space before punctuation that needs one"],
        [/(?<!\p{L})(tu|ton|tes)(?!\p{L})/iu, "a player addressed as tu"],
        [/(?<!\p{L})(dress|érig|éveill)/iu, "another word for construire or activer"],
        [/place d’attente/, "another word for emplacement"],
    ],
    de: [
        [/'|“\p{L}|\p{L}„/u, "quotation marks the wrong way round"],
        [/[\p{Ll},] Sie\b|\bIhnen\b/u, "a player addressed as Sie"],
        [/\bweckt?\b|erwach/i, "another word for aktivieren"],
        [/Warteplatz|Warteplätze/, "another word for Wartefeld"],
    ],
    ru: [
        [/ [—–]|\u00a0–/, "a dash without a no-break space before it"],
        [/(?<!\p{L})(ты|твой|тебе)(?!\p{L})/iu, "a player addressed as ты"],
        [/враг|вражеск/, "enemy instead of opponent"],
        [/(?<!\p{L})(еще|черн|счет|трех)/iu, "е instead of ё"],
        [/воздви|возвод|возвед|пробужд/iu, "another word for построить or активировать"],
        [/(?<!\p{L})Cairn/u, "the name of the game in Latin letters"],
    ],
};

describe.each(Object.keys(FAULTS))("%s", (language) => {
    test.each(FAULTS[language] ?? [])("has no match for %s: %s", (fault) => {
        const found = allTexts(language).filter(([, text]) => fault.test(text));
        expect(found).toEqual([]);
    });
});

test("the texts include messages, rules, lessons and megaliths", () => {
    for (const language of Object.keys(FAULTS)) {
        const keys = new Set(allTexts(language).map(([key]) => key));
        for (const key of [
            "play.goal",
            "story.added",
            "cli.help",
            "learn.summary.0",
            "learn.rulings.CG.1",
            "tutorial.move.done",
            "CD.name",
            "CD.power",
        ])
            expect(keys, language).toContain(key);
        expect(allTexts(language).filter(([, text]) => text === "")).toEqual([]);
    }
});
