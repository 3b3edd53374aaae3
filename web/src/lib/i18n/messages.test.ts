import { parse, TYPE, type MessageFormatElement } from "@formatjs/icu-messageformat-parser";
import { describe, expect, test } from "vitest";

import { LANGUAGES, type Language } from ".";
import { keysIn, MessageUse } from "../../../vite.messages";
import identical from "../../messages/identical.json";

type Messages = Record<string, string>;

const files = import.meta.glob<Messages>(["../../messages/*.*.json", "../../../../src/cairn/messages/*.json"], {
    eager: true,
    import: "default",
});
const sources = import.meta.glob<string>(
    ["../../**/*.ts", "../../**/*.svelte", "!../../**/*.test.ts", "!../../**/*.d.ts"],
    {
        eager: true,
        query: "?raw",
        import: "default",
    },
);

const OWN_AREAS = [
    "account",
    "alerts",
    "cards",
    "common",
    "explorer",
    "games",
    "guide",
    "learn",
    "mistakes",
    "online",
    "play",
    "puzzles",
    "review",
    "setup",
    "study",
];
/** Areas that the command line also uses. The messages in `cli` are for the command line only. */
const SHARED_AREAS = ["fault", "story"];
const AREAS = [...OWN_AREAS, ...SHARED_AREAS, "cli"];
const listedAsIdentical: Record<string, readonly string[]> = identical;

function pathOf(area: string, language: Language): string {
    const folder = OWN_AREAS.includes(area) ? "../../messages" : "../../../../src/cairn/messages";
    return `${folder}/${area}.${language}.json`;
}

function messagesOf(area: string, language: Language): Messages {
    const found = files[pathOf(area, language)];
    if (!found) throw new Error(`the file ${area}.${language}.json is missing`);
    return found;
}

function all(language: Language): Messages {
    return Object.assign({}, ...AREAS.map((area) => messagesOf(area, language))) as Messages;
}

const english = all("en");
const others = LANGUAGES.filter((language) => language !== "en");

/** The arguments of a message, including those inside options, its plural forms, and whether it has any words. */
function analyse(message: string): { names: Set<string>; plurals: string[][]; hasWords: boolean } {
    const names = new Set<string>();
    let hasWords = false;
    const plurals: string[][] = [];
    const visit = (elements: readonly MessageFormatElement[]): void => {
        for (const element of elements) {
            if (element.type === TYPE.literal && /\p{L}/u.test(element.value)) hasWords = true;
            if (element.type === TYPE.literal || element.type === TYPE.pound) continue;
            names.add(element.value);
            if (element.type !== TYPE.select && element.type !== TYPE.plural) continue;
            if (element.type === TYPE.plural) plurals.push(Object.keys(element.options));
            for (const option of Object.values(element.options)) visit(option.value);
        }
    };
    visit(parse(message, { ignoreTag: true }));
    return { names, plurals, hasWords };
}

/** The message keys in the sources, and the prefixes of keys that the sources construct: `area.kind.${kind}`. */
function named(): { keys: Map<string, string>; prefixes: Map<string, string> } {
    const keys = new Map<string, string>();
    const prefixes = new Map<string, string>();
    for (const [path, text] of Object.entries(sources)) {
        const found = keysIn(text, [...OWN_AREAS, ...SHARED_AREAS]);
        found.keys.forEach((name) => keys.set(name, path));
        found.prefixes.forEach((name) => prefixes.set(name, path));
    }
    return { keys, prefixes };
}

test("there is one file per area and language", () => {
    const wanted = AREAS.flatMap((area) => LANGUAGES.map((language) => pathOf(area, language)));
    expect(Object.keys(files).sort()).toEqual(wanted.sort());
});

test("every key starts with the name of its area", () => {
    const astray = AREAS.flatMap((area) =>
        Object.keys(messagesOf(area, "en")).filter((key) => !key.startsWith(`${area}.`)),
    );
    expect(astray).toEqual([]);
});

describe.each(LANGUAGES)("%s messages", (language) => {
    test("can be parsed and are not empty", () => {
        for (const [key, message] of Object.entries(all(language))) {
            expect(message.trim(), key).not.toBe("");
            expect(() => analyse(message), key).not.toThrow();
        }
    });
});

describe.each(others)("%s, compared with English,", (language) => {
    const messages = all(language);

    test("has the same keys", () => {
        expect(Object.keys(messages).filter((key) => !(key in english))).toEqual([]);
        expect(Object.keys(english).filter((key) => !(key in messages))).toEqual([]);
    });

    test("has the same arguments", () => {
        const different = Object.keys(english).filter((key) => {
            const ours = [...analyse(messages[key] ?? "").names].sort().join();
            return ours !== [...analyse(english[key] ?? "").names].sort().join();
        });
        expect(different).toEqual([]);
    });

    test("has identical texts only for the keys listed in identical.json", () => {
        const same = Object.keys(english).filter((key) => {
            const message = english[key] ?? "";
            return messages[key] === message && analyse(message).hasWords;
        });
        const listed = Object.keys(listedAsIdentical).filter((key) => listedAsIdentical[key]?.includes(language));
        expect(same.sort()).toEqual(listed.sort());
    });
});

test("every message is used, and every used message exists", () => {
    const { keys, prefixes } = named();
    const starts = [...prefixes.keys()];
    // A Python test checks the messages of the command line.
    const unused = Object.keys(english).filter(
        (key) => !key.startsWith("cli.") && !keys.has(key) && !starts.some((start) => key.startsWith(start)),
    );
    expect(unused).toEqual([]);
    const undefinedKeys = [...keys].filter(([key]) => !(key in english)).map(([key, path]) => `${key} in ${path}`);
    expect(undefinedKeys).toEqual([]);
    const leadNowhere = starts.filter((start) => !Object.keys(english).some((key) => key.startsWith(start)));
    expect(leadNowhere).toEqual([]);
});

test("Russian plurals have both a form for one and a form for few, or neither", () => {
    const lacking = Object.entries(all("ru")).filter(([, message]) =>
        analyse(message).plurals.some((forms) => forms.includes("one") !== forms.includes("few")),
    );
    expect(lacking).toEqual([]);
});

test("French messages have no-break spaces next to high punctuation and quotation marks", () => {
    const wrong = Object.entries(all("fr")).filter(([, message]) => {
        const text = message.replace(/\{\w+, (select|plural|selectordinal),|save!/g, "{");
        return / [:;!?»]|« |\p{L}[;!?»]|\p{L}:(?= |$)|«(?![\u00a0\u202f])/u.test(text);
    });
    expect(wrong).toEqual([]);
});

test("apostrophes are curly, because a straight apostrophe would escape the text after it", () => {
    const straight = LANGUAGES.flatMap((language) =>
        Object.entries(all(language)).filter(([, message]) => message.includes("'")),
    );
    expect(straight).toEqual([]);
});

describe("the messages of a part of the site", () => {
    const use = new MessageUse();
    const keysOf = (root: string): string[] => Object.keys(use.messages(root, "de"));
    const entry = keysOf("src/main.ts");
    const play = keysOf("src/app/play/PlayPage.svelte");
    const online = keysOf("src/app/online/onlineChunk.ts");

    test("are those of its modules and of what they load, now or later", () => {
        expect(entry).toContain("common.nav.games"); // the header, which App.svelte imports
        expect(play).toContain("play.flip"); // a component that the page imports
        expect(play).toContain("cards.when.forced"); // the cards, which are loaded later
        expect(play.filter((key) => key.startsWith("megalith."))).toHaveLength(34); // keys with a constructed name
        expect(keysOf("src/app/learn/LearnPage.svelte")).not.toContain("play.flip");
    });

    test("do not include those that are already loaded: of the entry, and of the page that loads the part", () => {
        expect([...play, ...online].filter((key) => entry.includes(key))).toEqual([]);
        expect(online.filter((key) => play.includes(key))).toEqual([]);
    });

    test("do not include those of a part that is loaded with messages of its own", () => {
        expect(online).toContain("online.chat.phrases");
        expect(play).not.toContain("online.chat.phrases");
        expect(entry).not.toContain("play.flip");
    });

    test("together are all messages of the pages", () => {
        expect(use.parts().length).toBeGreaterThan(10);
        const split = new Set(use.parts().flatMap(keysOf));
        const lacking = Object.keys(english).filter((key) => !key.startsWith("cli.") && !split.has(key));
        expect(lacking).toEqual([]);
    });
});
