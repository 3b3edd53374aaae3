import loaders from "virtual:messages";
import { afterEach, expect, test, vi } from "vitest";

import { language, startLanguage, t, withMessages } from ".";
import { settings } from "../settings.svelte";

afterEach(() => {
    vi.restoreAllMocks();
    settings.language = "en";
});

test("falls back to English if a language cannot be loaded, but keeps the saved choice", async () => {
    vi.spyOn(loaders, "fr").mockRejectedValue(new Error("the connection is lost"));
    settings.language = "fr";
    const started = startLanguage();
    const page = withMessages(
        {
            en: () => Promise.resolve({ default: { "play.title": "in English" } }),
            fr: () => Promise.resolve({ default: { "play.title": "en français" } }),
            de: () => Promise.reject(new Error("nobody asked for German")),
            ru: () => Promise.reject(new Error("nobody asked for Russian")),
        },
        () => Promise.resolve("the page"),
    );
    await started;
    expect([language(), settings.language]).toEqual(["en", "fr"]);
    expect(t("common.nav.games")).toBe("My games");
    expect(await page).toBe("the page");
    expect(t("play.title")).toBe("in English");
});
