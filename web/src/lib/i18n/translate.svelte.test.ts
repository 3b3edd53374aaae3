import { flushSync } from "svelte";
import { afterEach, describe, expect, test } from "vitest";

import { browserLanguage, formatDate, language, LANGUAGES, setLanguage, t, withMessages } from ".";
import { settings } from "../settings.svelte";
import type { Messages } from "./keys";
import type { Language } from "./languages";
import type { MessageLoaders } from "./translate.svelte";

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

describe("withMessages", () => {
    const key = "play.title";

    /** The messages of a part of the site. They arrive once `deliver` has been called. */
    class Part {
        readonly requested: Language[] = [];
        #deliver: (() => void) | undefined;
        readonly #delivered = new Promise<void>((resolve) => (this.#deliver = resolve));
        readonly messages = Object.fromEntries(
            LANGUAGES.map((code) => [code, () => this.#request(code)]),
        ) as MessageLoaders;

        async #request(code: Language): Promise<{ default: Messages }> {
            this.requested.push(code);
            await this.#delivered;
            return { default: { [key]: `part in ${code}` } };
        }

        deliver(): void {
            this.#deliver?.();
        }
    }

    test("requests the script and the messages at the same time and waits for both", async () => {
        const part = new Part();
        let loads = 0;
        let shown = "";
        const page = withMessages(part.messages, () => Promise.resolve((loads += 1))).then(() => (shown = t(key)));
        expect([loads, part.requested]).toEqual([1, ["en"]]);
        await new Promise((resolve) => setTimeout(resolve));
        expect(shown).toBe("");
        part.deliver();
        await page;
        expect(shown).toBe("part in en");
    });

    test("a change of the language includes the messages that were added", async () => {
        const part = new Part();
        part.deliver();
        await withMessages(part.messages, () => Promise.resolve());
        await setLanguage("de");
        expect([t(key), t("common.nav.games")]).toEqual(["part in de", "Meine Partien"]);
    });

    test("if the language changes while a page loads, the page is shown in the new language", async () => {
        const part = new Part();
        let shown = "";
        const page = withMessages(part.messages, () => Promise.resolve()).then(() => (shown = t(key)));
        await setLanguage("ru");
        expect([shown, part.requested]).toEqual(["", ["en"]]);
        part.deliver();
        await page;
        expect([shown, language(), part.requested]).toEqual(["part in ru", "ru", ["en", "ru"]]);
    });

    test("fails if the messages cannot be loaded, and does not disturb later changes of the language", async () => {
        const broken = Object.fromEntries(
            LANGUAGES.map((code) => [code, () => Promise.reject(new Error("the connection is lost"))]),
        ) as MessageLoaders;
        await expect(withMessages(broken, () => Promise.resolve())).rejects.toThrow("the connection is lost");
        await setLanguage("fr");
        expect(t("common.nav.games")).toBe("Mes parties");
    });
});
