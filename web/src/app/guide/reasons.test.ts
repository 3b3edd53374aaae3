/** Tests the reasons for hints with the real core. */
import { beforeAll, describe, expect, test } from "vitest";

import type { Advisor } from "../../lib/device/advice";
import { hasCore, loadAdvisor } from "../../test/core";
import { hintSentence, isUnfinished, reasonFor, stepsOf } from "./reasons";

describe.skipIf(!hasCore)("a hint", () => {
    let advisor: Advisor;
    beforeAll(async () => {
        advisor = await loadAdvisor();
    });

    test.each([
        ["after the first of three tokens", ["b3-b4"], true],
        ["before a build", ["b3-b4", "Tc3"], true],
        ["after the turn", ["b3-b4", "Tc3", "=PS"], false],
        ["after the answer", ["a1-a2", "a5-b4"], false],
    ])("is extended if the line stops in the middle of the turn: %s", async (_, line, unfinished) => {
        const start = "S4/5/1FS2/3F1/F4 - PSMD (ADCS) wofm 0-0 F";
        expect(await isUnfinished(advisor, { start, played: [], line, tribe: "forest" })).toBe(unfinished);
    });

    async function sentenceFor(start: string, line: string[], played: string[] = []): Promise<string> {
        const tribe = start.endsWith("F") ? "forest" : "sea";
        const idea = { start, played, line, tribe } as const;
        const steps = await stepsOf(advisor, idea);
        return hintSentence(steps[0]?.effects ?? [], await reasonFor(advisor, idea, steps));
    }

    test.each([
        [
            "wins",
            "S1F1S/5/1S3/5/F3F e2PS,b3CG,d3CD,b4AD,d4DR SAMD CS wofm 2-1 F",
            ["c5-out"],
            "Try this: Forest steps off the field from c5. It wins the game.",
        ],
        [
            "builds at once",
            "4F/3F1/5/2S2/S4 b3DR,d3CD PSMD (ADCS) wofm 1-0 F",
            ["d4-out", "=PS"],
            "Try this: Forest jumps from d4 over e5 and off the field. You build and score a point.",
        ],
        [
            "builds later in the turn",
            "S4/5/1FS2/3F1/F4 - PSMD (ADCS) wofm 0-0 F",
            ["b3-b4", "Tc3", "=PS"],
            "Try this: Forest moves from b3 to b4. It leads to a megalith and a point this turn.",
        ],
        [
            "banishes",
            "5/5/5/5/F2S1 - PSMD (ADCS) wofm 0-0 F",
            ["+d1"],
            "Try this: Forest adds a shaman on d1. It sends an enemy shaman home.",
        ],
        [
            "takes the tile that the enemy needs",
            "5/5/5/S2S1/F2F1 - PSMD (ADCS) woem 0-0 F",
            ["a1-a3"],
            "Try this: Forest jumps from a1 over a2 to a3. Sea can then no longer leave the field from a2.",
        ],
        [
            "prepares an exit",
            "4S/1F3/5/5/4F - PSMD (ADCS) wofm 0-0 F",
            ["b4-b5"],
            "Try this: Forest moves from b4 to b5. It prepares an exit from b5.",
        ],
        [
            "has no simple reason",
            "4S/1F3/5/5/4F - PSMD (ADCS) bdfm 0-0 F",
            ["+b1"],
            "Try this: Forest adds a shaman on b1. The computer sees nothing better.",
        ],
        [
            "advances",
            "S3S/5/5/5/F3F - PSMD (ADCS) wofm 0-0 F",
            ["a1-a2"],
            "Try this: Forest moves from a1 to a2. It brings a shaman closer to the far edge.",
        ],
    ])("explains a move that %s", async (_, start, line, sentence) => {
        expect(await sentenceFor(start, line)).toBe(sentence);
    });
});
