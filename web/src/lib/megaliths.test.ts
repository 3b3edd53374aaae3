import { describe, expect, it } from "vitest";

import { LANGUAGES } from "./i18n";
import { MEGALITH_CODES, codesOfSet, isMegalith, megalithName, megalithPower, megalithStart } from "./megaliths";

describe("the table of megaliths", () => {
    it("has 17 tiles: 8, 6 and 3 in the three sets", () => {
        expect(MEGALITH_CODES).toHaveLength(17);
        expect(codesOfSet("beginner")).toHaveLength(8);
        expect(codesOfSet("standard")).toHaveLength(6);
        expect(codesOfSet("expert")).toEqual(["WC", "SH", "HE"]);
    });

    it.each(MEGALITH_CODES)("%s has a name and a power in every language, none of them left in English", (code) => {
        for (const language of LANGUAGES) {
            expect(megalithName(code, language)).toMatch(/\S{3}/);
            expect(megalithPower(code, language)).toMatch(/\S.*[.]$/);
            if (language === "en") continue;
            expect(megalithName(code, language)).not.toBe(megalithName(code, "en"));
            expect(megalithPower(code, language)).not.toBe(megalithPower(code, "en"));
        }
    });

    it.each(LANGUAGES)("tells all names and powers apart in %s", (language) => {
        expect(new Set(MEGALITH_CODES.map((code) => megalithName(code, language))).size).toBe(17);
        expect(new Set(MEGALITH_CODES.map((code) => megalithPower(code, language))).size).toBe(17);
    });

    it("writes French and Russian as they are printed: curved apostrophes, no-break spaces", () => {
        for (const code of MEGALITH_CODES) {
            expect(megalithName(code, "fr") + megalithPower(code, "fr")).not.toMatch(/'| [;:!?»]|« /);
            expect(megalithPower(code, "ru")).not.toMatch(/ —/);
        }
    });

    it("knows what it has", () => {
        expect(isMegalith("DR")).toBe(true);
        expect(isMegalith("XX")).toBe(false);
        expect(() => megalithName("XX")).toThrow("XX");
        expect(megalithStart("CG")).toBe("b3");
        expect(megalithStart("DR")).toBeNull();
    });
});
