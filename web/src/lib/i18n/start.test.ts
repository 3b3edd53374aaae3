import { afterEach, expect, test, vi } from "vitest";

import { language, startLanguage, t } from ".";
import { settings } from "../settings.svelte";

vi.mock("./languages/fr", () => {
    throw new Error("the connection is lost");
});

afterEach(() => {
    settings.language = "en";
});

test("a language that cannot be loaded is replaced by English, but remains the saved choice", async () => {
    settings.language = "fr";
    await startLanguage();
    expect([language(), settings.language]).toEqual(["en", "fr"]);
    expect(t("common.nav.games")).toBe("My games");
});
