import { flushSync } from "svelte";
import { afterEach, expect, test } from "vitest";

import { browserLanguage, formatDate, language, setLanguage, t } from ".";
import { settings } from "../settings.svelte";

afterEach(() => setLanguage("en"));

test("uses the first supported browser language, or else English", () => {
    expect(browserLanguage(["pt-BR", "fr-CA", "de"])).toBe("fr");
    expect(browserLanguage(["DE-at"])).toBe("de");
    expect(browserLanguage(["ja", "zh-Hans"])).toBe("en");
    expect(browserLanguage([])).toBe("en");
});

test("setLanguage saves the language, sets it on the document and updates rendered messages", async () => {
    const seen: string[] = [];
    const stop = $effect.root(() => {
        $effect(() => void seen.push(t("common.nav.games")));
    });
    flushSync();
    await setLanguage("de");
    flushSync();
    stop();
    expect(seen).toEqual(["My games", "Meine Partien"]);
    expect([language(), settings.language, document.documentElement.lang]).toEqual(["de", "de", "de"]);
});

test("if two languages are requested at the same time, the later request wins", async () => {
    await Promise.all([setLanguage("fr"), setLanguage("ru")]);
    expect(language()).toBe("ru");
});

test("plural forms depend on the language", async () => {
    const forms = (...counts: number[]): string[] => counts.map((n) => t("games.turns", { n }));
    expect(forms(1, 2)).toEqual(["1 turn", "2 turns"]);
    await setLanguage("ru");
    expect(forms(1, 2, 5, 11, 21, 22)).toEqual(["1 ход", "2 хода", "5 ходов", "11 ходов", "21 ход", "22 хода"]);
    await setLanguage("fr");
    expect(forms(0, 1, 2)).toEqual(["0 tour", "1 tour", "2 tours"]);
});

test("a date is shown as a time if it is today, and with the year if it is in another year", () => {
    const now = new Date(2026, 10, 15, 12, 0);
    expect(formatDate(new Date(2026, 10, 15, 9, 5).toISOString(), now)).toBe("9:05 AM");
    expect(formatDate(new Date(2026, 2, 3).toISOString(), now)).toBe("Mar 3");
    expect(formatDate(new Date(2025, 2, 3).toISOString(), now)).toBe("Mar 3, 2025");
});
