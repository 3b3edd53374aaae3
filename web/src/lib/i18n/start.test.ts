import { afterEach, expect, test, vi } from "vitest";

import { language, startLanguage, t } from ".";
import { settings } from "../settings.svelte";

vi.mock("./languages/fr", () => {
    throw new Error("the connection is lost");
});

afterEach(() => {
    settings.language = "en";
});

test("falls back to English if a language cannot be loaded, but keeps the saved choice", async () => {
    settings.language = "fr";
    await startLanguage();
    expect([language(), settings.language]).toEqual(["en", "fr"]);
    expect(t("common.nav.games")).toBe("My games");
});
