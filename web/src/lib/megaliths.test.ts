import { afterEach, describe, expect, it } from "vitest";

import table from "../../../src/cairn/megaliths.json";
import { LANGUAGES, setLanguage } from "./i18n";
import { MEGALITH_CODES, codesOfSet, isMegalith, megalithName, megalithPower, megalithStart } from "./megaliths";

afterEach(() => setLanguage("en"));

describe("the megalith table", () => {
    it("has 17 tiles: 8, 6 and 3 in the three sets", () => {
        expect(MEGALITH_CODES).toHaveLength(17);
        expect(codesOfSet("beginner")).toHaveLength(8);
        expect(codesOfSet("standard")).toHaveLength(6);
        expect(codesOfSet("expert")).toEqual(["WC", "SH", "HE"]);
    });

    it.each(table)("has a translated name and power for $code in every language", (row) => {
        for (const texts of [row.name, row.power]) expect(new Set(Object.values(texts)).size).toBe(LANGUAGES.length);
    });

    it.each(LANGUAGES)("has distinct names and powers in %s", async (language) => {
        await setLanguage(language);
        const names = MEGALITH_CODES.map(megalithName);
        const powers = MEGALITH_CODES.map(megalithPower);
        for (const name of names) expect(name).toMatch(/^\p{Lu}.*\S{3}/u);
        for (const power of powers) expect(power).toMatch(/\S.*[.]$/);
        expect([new Set(names).size, new Set(powers).size]).toEqual([17, 17]);
        expect(names).toEqual(table.map((row) => row.name[language].replaceAll("'", "’")));
    });

    it("has curly apostrophes and no-break spaces in French and Russian", async () => {
        await setLanguage("fr");
        for (const code of MEGALITH_CODES) {
            expect(megalithName(code) + megalithPower(code)).not.toMatch(/'| [;:!?»]|« /);
        }
        await setLanguage("ru");
        for (const code of MEGALITH_CODES) expect(megalithPower(code)).not.toMatch(/ —/);
    });

    it("can be looked up by code", () => {
        expect(isMegalith("DR")).toBe(true);
        expect(isMegalith("XX")).toBe(false);
        expect(() => megalithName("XX")).toThrow("XX");
        expect(megalithStart("CG")).toBe("b3");
        expect(megalithStart("DR")).toBeNull();
    });
});
