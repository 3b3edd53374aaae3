import { describe, expect, test } from "vitest";

/** The rules of typography in docs/translation.md, as far as they can be checked automatically. */
const files = import.meta.glob<Record<string, string>>("../../messages/*.*.json", { eager: true, import: "default" });

function messagesIn(language: string): [string, string][] {
    const own = Object.entries(files).filter(([path]) => path.endsWith(`.${language}.json`));
    return own.flatMap(([, messages]) => Object.entries(messages));
}

/** Patterns that messages of a language must not contain, and why. */
const FAULTS: Record<string, readonly (readonly [RegExp, string])[]> = {
    en: [[/\w'\w|"\w+"(?!\])/, "straight quotation marks"]],
    fr: [
        [/'/, "a straight apostrophe"],
        [/ [:;!?»]|« /, "a space where the line must not break"],
        [/[\p{L}\d}][;!?»]/u, "no space before a sign that has one"],
        [/(?<!\p{L})(tu|ton|tes)(?!\p{L})/iu, "tu for a player"],
    ],
    de: [
        [/'|“\p{L}|\p{L}„/u, "quotation marks the wrong way round"],
        [/[\p{Ll},] Sie\b|\bIhnen\b/u, "Sie for a player"],
    ],
    ru: [
        [/ [—–]|\u00a0–/, "a dash that is not bound to the word before it"],
        [/(?<!\p{L})(ты|твой|тебе)(?!\p{L})/iu, "ты for a player"],
        [/враг|вражеск/, "an enemy where there is an opponent"],
        [/(?<!\p{L})(еще|черн|счет|трех)/iu, "е for ё"],
    ],
};

describe.each(Object.keys(FAULTS))("%s", (language) => {
    test.each(FAULTS[language] ?? [])("has nothing like %s: %s", (fault) => {
        const found = messagesIn(language).filter(([, message]) => fault.test(message));
        expect(found).toEqual([]);
    });
});
