import { parse, TYPE, type MessageFormatElement } from "@formatjs/icu-messageformat-parser";
import { IntlMessageFormat } from "intl-messageformat";
import { describe, expect, test } from "vitest";

import { compile } from "./format";
import { LANGUAGES } from "./languages";

const files = import.meta.glob<Record<string, string>>(
    ["../../messages/*.*.json", "../../../../src/cairn/messages/*.json"],
    { eager: true, import: "default" },
);

/** Values that cover every option of a message: the keys of each `select`, and a number for each plural form. */
function examples(message: string): Record<string, string | number>[] {
    const values = new Map<string, Set<string | number>>();
    const visit = (elements: readonly MessageFormatElement[]): void => {
        for (const element of elements) {
            if (element.type === TYPE.literal || element.type === TYPE.pound) continue;
            const known = values.get(element.value) ?? new Set();
            values.set(element.value, known);
            if (element.type === TYPE.argument && known.size === 0) known.add("Ωmega {#}").add(1234567);
            if (element.type !== TYPE.select && element.type !== TYPE.plural) continue;
            if (element.type === TYPE.plural) for (const n of [0, 1, 2, 3, 5, 11, 21, 22, 1234, -3]) known.add(n);
            else for (const key of Object.keys(element.options)) known.add(key);
            for (const option of Object.values(element.options)) visit(option.value);
        }
    };
    visit(parse(message, { ignoreTag: true }));
    let all: Record<string, string | number>[] = [{}];
    for (const [name, known] of values) {
        all = all.flatMap((one) => [...known].map((value) => ({ ...one, [name]: value }))).slice(0, 400);
    }
    return all;
}

describe.each(LANGUAGES)("%s messages", (language) => {
    test("are formatted exactly as a complete implementation formats them", () => {
        for (const [path, messages] of Object.entries(files)) {
            if (!path.endsWith(`.${language}.json`)) continue;
            for (const [key, message] of Object.entries(messages)) {
                const theirs = new IntlMessageFormat(message, language, undefined, { ignoreTag: true });
                const ours = compile(message, language);
                for (const values of examples(message)) expect(ours(values), key).toBe(String(theirs.format(values)));
            }
        }
    });
});

test.each(["{n", "{n, plural, one {#}", "{n, date, long}", "{n, select, a}"])("%s is rejected", (message) => {
    expect(() => compile(message, "en")).toThrow(SyntaxError);
});
