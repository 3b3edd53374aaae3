import { readFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";

import { LANGUAGES, type Language } from "./i18n";
import { loadFonts, waitForFonts } from "./fonts";

afterEach(() => {
    vi.useRealTimers();
    Reflect.deleteProperty(document, "fonts");
    delete document.documentElement.dataset.fonts;
});

function browserWith(load: (font: string, letters: string) => Promise<unknown>): void {
    Object.defineProperty(document, "fonts", { value: { load }, configurable: true });
}

test("only Russian loads the Cyrillic fonts", async () => {
    const load = vi.fn(() => Promise.resolve([]));
    browserWith(load);
    expect(await loadFonts("de")).toBe(true);
    expect(load.mock.calls.flat().join()).not.toContain("я");
    expect(await loadFonts("ru")).toBe(true);
    expect(load).toHaveBeenCalledWith(expect.stringContaining("Cairn Text"), expect.stringContaining("я"));
});

test("a page whose fonts are missing or late keeps the system fonts", async () => {
    browserWith(() => Promise.reject(new Error("offline")));
    await waitForFonts(loadFonts("en"));
    expect(document.documentElement.dataset.fonts).toBe("system");

    delete document.documentElement.dataset.fonts;
    vi.useFakeTimers();
    const waiting = waitForFonts(new Promise(() => undefined));
    await vi.advanceTimersByTimeAsync(1000);
    await waiting;
    expect(document.documentElement.dataset.fonts).toBe("system");
});

test("fonts that load in time are used", async () => {
    browserWith(() => Promise.resolve([]));
    await waitForFonts(loadFonts("en"));
    expect(document.documentElement.dataset.fonts).toBeUndefined();
});

/** The characters in the files of one font, from its style sheet. */
function characters(family: string, language: Language): Set<number> {
    const rules = readFileSync("fonts/fonts.css", "utf-8").split("@font-face").slice(1);
    const found = new Set<number>();
    for (const rule of rules) {
        if (!rule.includes(family) || (rule.includes("cyrillic") && language !== "ru")) continue;
        for (const [, from = "", to = from] of rule.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/g)) {
            for (let code = parseInt(from, 16); code <= parseInt(to, 16); code += 1) found.add(code);
        }
    }
    return found;
}

test.each(LANGUAGES)("the fonts contain every character in the messages: %s", async (language) => {
    const files = import.meta.glob<string>("../messages/*.json", { query: "?raw", import: "default" });
    const texts = await Promise.all(
        Object.entries(files).flatMap(([path, read]) => (path.endsWith(`.${language}.json`) ? [read()] : [])),
    );
    expect(texts.length).toBeGreaterThan(5);
    // A narrow space looks the same in every font.
    const used = [...new Set(texts.join(""))].filter((one) => !"\n\u202f".includes(one));
    for (const family of ["Cairn Display", "Cairn Text"]) {
        const drawn = characters(family, language);
        expect(used.filter((one) => !drawn.has(one.codePointAt(0) ?? 0))).toEqual([]);
    }
});
