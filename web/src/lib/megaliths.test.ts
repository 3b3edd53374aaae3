import { describe, expect, it } from "vitest";

import { LANGUAGES } from "./i18n";
import * as megaliths from "./megaliths";

describe("the table of megaliths", () => {
    it("has 17 tiles: 8, 14 and 17 in the three variants", () => {
        expect(megaliths.codes).toHaveLength(17);
        expect(megaliths.codesOfVariant("beginner")).toHaveLength(8);
        expect(megaliths.codesOfVariant("standard")).toHaveLength(14);
        expect(megaliths.codesOfVariant("expert")).toEqual(megaliths.codes);
        expect(megaliths.codesOfSet("expert")).toEqual(["WC", "SH", "HE"]);
    });

    it.each(megaliths.codes)("%s has a name and a power in every language, none of them left in English", (code) => {
        for (const language of LANGUAGES) {
            expect(megaliths.name(code, language)).toMatch(/\S{3}/);
            expect(megaliths.power(code, language)).toMatch(/\S.*[.]$/);
            if (language === "en") continue;
            expect(megaliths.name(code, language)).not.toBe(megaliths.name(code, "en"));
            expect(megaliths.power(code, language)).not.toBe(megaliths.power(code, "en"));
        }
    });

    it.each(LANGUAGES)("tells all names and powers apart in %s", (language) => {
        expect(new Set(megaliths.codes.map((code) => megaliths.name(code, language))).size).toBe(17);
        expect(new Set(megaliths.codes.map((code) => megaliths.power(code, language))).size).toBe(17);
    });

    it("writes French and Russian as they are printed: curved apostrophes, no-break spaces", () => {
        for (const code of megaliths.codes) {
            expect(megaliths.name(code, "fr") + megaliths.power(code, "fr")).not.toMatch(/'| [;:!?»]|« /);
            expect(megaliths.power(code, "ru")).not.toMatch(/ —/);
        }
    });

    it("knows what it has", () => {
        expect(megaliths.has("DR")).toBe(true);
        expect(megaliths.has("XX")).toBe(false);
        expect(() => megaliths.name("XX")).toThrow("XX");
        expect(megaliths.startOf("CG")).toBe("b3");
        expect(megaliths.startOf("DR")).toBeNull();
    });
});
