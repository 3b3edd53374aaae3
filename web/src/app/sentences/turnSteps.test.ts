import type { Effect } from "@cairn/board/effects";
import { stepsOfTurn } from "@cairn/board/turn";
import { beforeEach, describe, expect, test } from "vitest";

import { LANGUAGES, setLanguage } from "../../lib/i18n";
import { turns } from "../../test/recorded";
import { shortStep, turnStepSentence } from "./turnSteps";

describe.each(LANGUAGES)("in %s", (language) => {
    beforeEach(() => setLanguage(language));

    test.each(Object.keys(turns))("every step of a turn with %s has a short text and a sentence", (kind) => {
        for (const step of stepsOfTurn((turns[kind] ?? []).flatMap((each) => each.effects))) {
            const { title, detail } = shortStep(step);
            for (const text of [title, turnStepSentence(step)]) {
                expect(text).not.toBe("");
                expect(text).not.toMatch(/[{}]|story\.|undefined|\bnull\b/);
            }
            expect(`${title} ${detail}`.length).toBeLessThan(60);
            expect(turnStepSentence(step)).toMatch(/\.$/);
        }
    });
});

test("an exit says which shaman was jumped over", async () => {
    const out: Effect[] = [
        { kind: "left", tribe: "forest", origin: "d4", way: "jump", over: "e5", direction: "ne", power: null },
        { kind: "flipped", tile: "jump", face: "f", power: null },
    ];
    const said = async (language: (typeof LANGUAGES)[number]) => {
        await setLanguage(language);
        return stepsOfTurn(out).map((step) => turnStepSentence(step));
    };
    expect(await said("fr")).toEqual(["La Forêt saute de d4 par-dessus e5 et sort du terrain."]);
    expect(await said("de")).toEqual(["Der Wald springt von d4 über e5 vom Spielfeld."]);
    expect(await said("ru")).toEqual(["Лес прыгает с d4 через e5 и уходит с поля."]);
    expect(await said("en")).toEqual(["Forest jumps from d4 over e5 and off the field."]);
    expect(stepsOfTurn(out).map(shortStep)).toMatchObject([{ title: "Leaves", detail: "d4 over e5", icon: "leave" }]);
});

test("a power is shown with its name and the sign of its megalith", async () => {
    await setLanguage("en");
    const effects: Effect[] = [
        { kind: "activated", tribe: "sea", code: "DR", space: "d3", result: "choice" },
        { kind: "moved", tribe: "forest", origin: "d4", target: "e4", way: "power", over: null, power: "DR" },
    ];
    const [step, ...more] = stepsOfTurn(effects);
    expect(more).toEqual([]);
    expect(step && shortStep(step)).toMatchObject({ title: "Deer Rock", detail: "d4 → e4", megalith: "DR" });
    expect(step && turnStepSentence(step)).toBe("Deer Rock moves a Forest shaman from d4 to e4.");
});
