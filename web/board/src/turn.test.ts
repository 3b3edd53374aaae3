import { describe, expect, it } from "vitest";

import type { Effect } from "./effects";
import { placeShapes } from "./shapes";
import { stepsOfTurn, turnShapes } from "./turn";
import steps from "./recorded/steps.json";

const jump: Effect = { kind: "moved", tribe: "sea", origin: "b1", target: "d3", way: "jump", over: "c2", power: null };
const flip: Effect = { kind: "flipped", tile: "jump", face: "e", power: null };
const wake: Effect = { kind: "activated", tribe: "sea", code: "DR", space: "d3", result: "choice" };
const push: Effect = { kind: "moved", tribe: "forest", origin: "d4", target: "e4", way: "power", power: "DR" };
const banish = { kind: "banished", tribe: "forest", space: "e4", power: null } as const;
const built: Effect = { kind: "built", tribe: "sea", code: "MD", space: "e4", slot: 0, score: 1, power: null };

const kinds = (effects: readonly Effect[]) =>
    stepsOfTurn(effects).map(({ main, effects: all }) => [main.kind, all.length]);

describe("the steps of a turn", () => {
    it("group the effects that belong together", () => {
        const turn: Effect[] = [
            jump,
            flip,
            wake,
            push,
            { kind: "transformed", tribe: "sea", space: "e4", start: "c2", end: "e4" },
            { kind: "flipped", tile: "transformation", face: "e", power: null },
            banish,
            built,
            { kind: "drawn", code: "AD", slot: 0 },
        ];
        const told = stepsOfTurn(turn);
        expect(told.map(({ number, main, start }) => [number, main.kind, start])).toEqual([
            [1, "moved", 0],
            [2, "moved", 2],
            [3, "transformed", 4],
            [4, "built", 7],
        ]);
        expect(told.map(({ cause }) => cause?.code ?? null)).toEqual([null, "DR", null, null]);
        expect(told.flatMap(({ effects }) => effects)).toEqual(turn);
    });

    it("combine a banishment with the arrival of the shaman that takes the space", () => {
        expect(kinds([banish, { kind: "added", tribe: "sea", space: "e4" }, flip])).toEqual([["added", 3]]);
        expect(kinds([banish, { kind: "added", tribe: "sea", space: "a1" }])).toEqual([
            ["banished", 1],
            ["added", 1],
        ]);
    });

    it("show a power before its choice is made, and a power without effect as a separate step", () => {
        expect(kinds([jump, flip, wake])).toEqual([
            ["moved", 2],
            ["activated", 1],
        ]);
        expect(kinds([{ ...wake, result: "nothing" }, push])).toEqual([
            ["activated", 1],
            ["moved", 1],
        ]);
    });

    it("attribute a copied power to the megalith that copied it", () => {
        const copied = [{ ...wake, code: "SH" }, { kind: "copied", code: "DR" }, push] as const;
        expect(stepsOfTurn(copied)).toMatchObject([{ number: 1, main: push, cause: { code: "SH", space: "d3" } }]);
    });

    it("omit only passes, and keep their numbers as the turn goes on", () => {
        for (const { effects } of steps as unknown as { effects: Effect[] }[]) {
            const told = stepsOfTurn(effects).flatMap((step) => step.effects);
            expect(told.filter(({ kind }) => kind !== "passed")).toEqual(
                effects.filter(({ kind }) => kind !== "passed"),
            );
            effects.forEach((_, count) => {
                const early = stepsOfTurn(effects.slice(0, count)).map(({ start }) => start);
                expect(
                    stepsOfTurn(effects)
                        .slice(0, early.length)
                        .map(({ start }) => start),
                ).toEqual(early);
            });
        }
    });
});

describe("the shapes of a turn", () => {
    it("include an arrow for each move, a link from the megalith, and the number of each step", () => {
        expect(turnShapes(stepsOfTurn([jump, flip, wake, push]), 2)).toMatchObject([
            { kind: "arrow", from: "b1", to: "d3", over: "c2", faint: true },
            { kind: "number", at: "d3", text: 1, faint: true },
            { kind: "link", from: "d3", to: "d4", faint: false },
            { kind: "arrow", from: "d4", to: "e4", faint: false },
            { kind: "number", at: "e4", text: 2, faint: false },
        ]);
    });

    it("include the line of three of a transformation", () => {
        const line: Effect = { kind: "transformed", tribe: "sea", space: "c3", start: "b2", end: "d4" };
        expect(turnShapes(stepsOfTurn([line, banish]))).toEqual([
            { kind: "band", from: "b2", to: "d4", faint: false },
            { kind: "cross", at: "e4", faint: false },
            { kind: "number", at: "c3", text: 1, faint: false },
        ]);
    });

    it("lead off the field in the actual direction", () => {
        const out: Effect = { kind: "left", tribe: "forest", origin: "d4", way: "jump", over: "e5", direction: "ne" };
        const [arrow] = placeShapes(turnShapes(stepsOfTurn([out])), "forest");
        if (arrow?.kind !== "arrow") throw new Error("expected an arrow");
        const [x = 0, y = 0] = arrow.head.slice(1).split("L")[0]?.split(" ").map(Number) ?? [];
        // From the centre of d4 diagonally up, past the right and the upper edge of the field.
        expect([x - 376, 264 - y]).toEqual([x - 376, expect.closeTo(x - 376)]);
        expect(x).toBeGreaterThan(526);
        expect(y).toBeLessThan(114);
        expect(arrow.line).toContain("Q"); // it arcs over e5
    });

    it("bend if two pieces swap places, so that both arrows are visible", () => {
        const swap: Effect = { kind: "shamans-swapped", first: "b2", second: "c3", power: "WC" };
        const lines = placeShapes(turnShapes(stepsOfTurn([swap])), "forest").flatMap((shape) =>
            shape.kind === "arrow" ? [shape.line] : [],
        );
        expect(lines).toHaveLength(2);
        expect(lines.every((line) => line.includes("Q"))).toBe(true);
    });
});
