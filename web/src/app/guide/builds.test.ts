/** Tests how the core finds the ways to score in one turn. */
import { beforeAll, describe, expect, test } from "vitest";

import type { Advisor } from "../../lib/device/advice";
import { hasCore, loadAdvisor } from "../../test/core";

const START = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F";

describe.skipIf(!hasCore)("the ways to score in one turn", () => {
    let advisor: Advisor;
    beforeAll(async () => {
        advisor = await loadAdvisor();
    });
    const found = async (position: string) =>
        (await advisor.builds(position))?.map(({ kind, space, tokens }) => `${kind} ${space}: ${tokens.join(" ")}`);

    test("finds nothing at the start of a game", async () => {
        expect(await found(START)).toEqual([]);
    });

    test("finds steps and jumps off the field, and a transformation after a power", async () => {
        expect(await found("4F/3F1/5/2S2/S4 b3DR,d3CD PSMD (ADCS) wofm 1-0 F")).toEqual([
            "exit d4: d4-out",
            "exit e5: e5-out",
            "transformation c2: d4-d3 +b1 Tc2",
        ]);
    });

    test("ignores an exit from a megalith, which builds nothing (E4)", async () => {
        expect(await found("2F2/5/5/5/4S b3DR,c5CG PSMD (ADCS) wofm 1-0 F")).toEqual([]);
    });

    test("follows the powers of the tribe to the end of the turn", async () => {
        const [way] =
            (await found("S3S/2F2/1S1S1/1F3/F3F b3DR,d3CD,b4MD,c4FC PSAD (CGCSHPMMSASSSWTS) wofm 1-1 S")) ?? [];
        expect(way).toBe("transformation c3: b3-b4 b4-b3 b2-c3 Tc3");
    });

    test("returns null in the middle of a turn", async () => {
        expect(await advisor.builds("S3S/5/5/5/F3F b3DR --AD (CGCSHP) wofm 1-1 S")).toBeNull();
    });
});
