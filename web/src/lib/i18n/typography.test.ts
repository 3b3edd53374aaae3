import { describe, expect, test } from "vitest";

/** The typography rules in docs/translation.md that can be checked automatically. */
const files = import.meta.glob<Record<string, string>>("../../messages/*.*.json", { eager: true, import: "default" });

function messagesIn(language: string): [string, string][] {
    const own = Object.entries(files).filter(([path]) => path.endsWith(`.${language}.json`));
    return own.flatMap(([, messages]) => Object.entries(messages));
}

/** For each language, the patterns that its messages must not contain, and what each pattern detects. */
const FAULTS: Record<string, readonly (readonly [RegExp, string])[]> = {
    en: [[/\w'\w|"\w+"(?!\])/, "straight quotation marks"]],
    fr: [
        [/'/, "a straight apostrophe"],
        [/ [:;!?»]|« /, "an ordinary space instead of a no-break space"],
        [/[\p{L}\d}][;!?»]/u, "no space before punctuation that needs one"],
        [/(?<!\p{L})(tu|ton|tes)(?!\p{L})/iu, "a player addressed as tu"],
    ],
    de: [
        [/'|“\p{L}|\p{L}„/u, "quotation marks the wrong way round"],
        [/[\p{Ll},] Sie\b|\bIhnen\b/u, "a player addressed as Sie"],
    ],
    ru: [
        [/ [—–]|\u00a0–/, "a dash without a no-break space before it"],
        [/(?<!\p{L})(ты|твой|тебе)(?!\p{L})/iu, "a player addressed as ты"],
        [/враг|вражеск/, "enemy instead of opponent"],
        [/(?<!\p{L})(еще|черн|счет|трех)/iu, "е instead of ё"],
    ],
};

describe.each(Object.keys(FAULTS))("%s", (language) => {
    test.each(FAULTS[language] ?? [])("has no match for %s: %s", (fault) => {
        const found = messagesIn(language).filter(([, message]) => fault.test(message));
        expect(found).toEqual([]);
    });
});
