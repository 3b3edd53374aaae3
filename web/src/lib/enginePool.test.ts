import { describe, expect, test } from "vitest";

import { deal, merge, workerCount } from "../../core/enginePool";

test("leaves one core for the page, and gives a phone at most four workers", () => {
    expect([1, 2, 4, 8, 64].map((cores) => workerCount(cores, false))).toEqual([1, 1, 3, 7, 8]);
    expect([1, 2, 4, 8].map((cores) => workerCount(cores, true))).toEqual([1, 1, 3, 4]);
});

describe("the first tokens", () => {
    test("are dealt out completely, and to no more workers than there are tokens", () => {
        expect(deal(["a", "b", "c", "d", "e"], 2)).toEqual([
            ["a", "c", "e"],
            ["b", "d"],
        ]);
        expect(deal(["a", "b"], 4)).toEqual([["a"], ["b"]]);
        expect(deal([], 4)).toEqual([[]]);
    });
});

test("the lines of all workers are merged, best first, at the depth that all have finished", () => {
    const line = (score: number): { score: number; tokens: string[] } => ({ score, tokens: [String(score)] });
    const one = { state: { done: true, depth: 5, nodes: 10, lines: [line(40), line(-3)] }, network: true };
    const other = { state: { done: false, depth: 4, nodes: 7, lines: [line(90), line(12)] }, network: true };
    expect(merge([one, other], 3)).toEqual({
        lines: [line(90), line(40), line(12)],
        depth: 4,
        nodes: 17,
        done: false,
        network: true,
    });
    expect(merge([one, { ...other, network: false }], 3).network).toBe(false);
});
