import { beforeEach, describe, expect, test } from "vitest";

import { hasCore, loadJudge, loadStudy } from "../../test/core";
import { split, type Puzzle } from "./puzzle";
import { PuzzleSource, type PuzzleState } from "./puzzleSource";

/** A puzzle that is solved within one turn. */
const PUZZLE = {
    id: "013ac448",
    position: "1S3/2S1S/F1F2/2FF1/5 a1MD,e1PS,b3CS,d3HP,c4CD,e4SA ADSS (CGDRFCMMSWTS) bdfm 2-2 S",
    tokens: "e4-d3",
    goal: "win",
    turns: 1,
    solution: "c4-b3 b3-a1 a1-b1 Tc2 =AD",
    plays: "sea",
} as Puzzle;
const SOLUTION = split(PUZZLE.solution);

describe.skipIf(!hasCore)("a judgement that arrives late", () => {
    let source: PuzzleSource;
    let states: PuzzleState[];
    /** What the core waits for before it judges. */
    let gate: Promise<void>;
    let open: () => void;

    beforeEach(async () => {
        const [study, judge] = await Promise.all([loadStudy(), loadJudge()]);
        states = [];
        gate = Promise.resolve();
        source = new PuzzleSource(
            PUZZLE,
            {
                study: async (position, tokens) => study(position, tokens),
                judge: async (moment) => {
                    await gate;
                    return judge(moment);
                },
                odds: () => Promise.reject(new Error("not an odds puzzle")),
            },
            { changed: (state) => states.push(state) },
        );
    });

    const play = (token: string): Promise<void> =>
        source.play({ id: "1", token, tribe: "sea", revision: 0, hold: false });

    async function playAllButLast(): Promise<void> {
        for (const token of SOLUTION.slice(0, -1)) await play(token);
        expect(states.at(-1)).toBe("open");
        gate = new Promise((resolve) => (open = resolve));
    }

    test("does not replace the solution, or count as solved", async () => {
        await playAllButLast();
        const played = play(SOLUTION.at(-1) ?? "");
        const shown = source.solve();
        open();
        await Promise.all([played, shown]);
        expect(states.at(-1)).toBe("shown");
        expect(states).not.toContain("solved");
    });

    test("does not continue an attempt that was restarted", async () => {
        await playAllButLast();
        const played = play(SOLUTION.at(-1) ?? "");
        await source.restart();
        open();
        await played;
        expect(states).not.toContain("solved");
        expect(await source.hint()).toBe(SOLUTION[0]);
    });

    test("gives no hint for a moment that is no longer shown", async () => {
        await playAllButLast();
        const hint = source.hint();
        await source.solve();
        open();
        expect(await hint).toBeUndefined();
    });

    test("is used if nothing else has happened", async () => {
        await playAllButLast();
        const played = play(SOLUTION.at(-1) ?? "");
        open();
        await played;
        expect(states.at(-1)).toBe("solved");
    });
});
