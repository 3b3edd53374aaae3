import { expect, test } from "vitest";

import { setLanguage } from "../../lib/i18n";
import { looksLikePosition, searchWords } from "./search";

test("distinguishes a position from a record", () => {
    expect(looksLikePosition(" S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F\n")).toBe(true);
    expect(looksLikePosition('[Position "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F"]\n\n*')).toBe(false);
    expect(looksLikePosition("one two three four five six seven")).toBe(false);
});

test("matches the words on a game card, in any language and while they are being typed", async () => {
    expect([" monolith ", "level 4", "Anna  B.", "stone row", "you", "Exp", "a|b"].map(searchWords)).toEqual([
        "monolith|level:4",
        "level 4",
        "anna b.",
        "stone|level:2|level:8 row|level:8",
        "you|computer",
        "exp|expert",
        "a b|level:3|beginner",
    ]);
    await setLanguage("de");
    expect(["Gipfel", "Stufe 4", "du", "Wald"].map(searchWords)).toEqual([
        "gipfel|level:10",
        "stufe|level 4",
        "du|computer",
        "wald|unnamed:forest",
    ]);
    await setLanguage("en");
});
