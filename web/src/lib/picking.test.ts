import { describe, expect, test } from "vitest";

import type { Choice } from "./client";
import { action, ADD, choice } from "../test/choices";
import { completed, forcedPicks, nextPicks, openPicks, pickNext, reachable } from "./picking";
import { momentOf, moments } from "../test/recorded";

const choicesOf = (kind: string): Choice[] => momentOf(kind).choices;

/** A small set of choices in the server's format. */
const START: Choice[] = [
    ADD,
    action("move", "a1", "a2"),
    action("jump", "a1", "c3"),
    action("move", "c1", "c2"),
    action("move", "a5", "village:sea"),
];

describe("nextPicks", () => {
    test("contains every possible first pick when nothing is picked", () => {
        expect([...nextPicks(START, []).keys()].sort()).toEqual(
            ["a1", "a5", "c1", "d1", "tile:add", "tile:jump", "tile:move", "village:forest"].sort(),
        );
    });

    test("contains every space that a picked shaman can reach with any tile", () => {
        const next = nextPicks(START, ["a1"]);
        expect([...next.keys()]).toEqual(["a2", "c3"]);
        expect(next.get("c3")?.[0]?.tile).toBe("jump");
    });

    test("contains the shamans that can use a picked tile", () => {
        expect([...nextPicks(START, ["tile:move"]).keys()]).toEqual(["a1", "c1", "a5"]);
        expect(reachable(START, ["tile:jump"]).map((choice) => choice.token)).toEqual(["a1-c3"]);
    });
});

describe("picking", () => {
    test("continues pick by pick and ends in a token", () => {
        expect(pickNext(START, [], "a1")).toEqual({ kind: "more", picks: ["a1"] });
        expect(pickNext(START, ["a1"], "c3")).toMatchObject({ kind: "token", token: "a1-c3" });
        expect(pickNext(START, ["a5"], "village:sea")).toMatchObject({ kind: "token", token: "a5-out" });
        expect(pickNext(START, [], "d1")).toMatchObject({ kind: "token", token: "+d1" });
    });

    test("another shaman or tile replaces the last one, and keeps a picked tile if possible", () => {
        expect(pickNext(START, ["a1"], "c1")).toEqual({ kind: "more", picks: ["c1"] });
        expect(pickNext(START, ["tile:move", "a1"], "c1")).toEqual({ kind: "more", picks: ["tile:move", "c1"] });
        expect(pickNext(START, ["tile:move", "a1"], "tile:jump")).toEqual({ kind: "more", picks: ["tile:jump"] });
        expect(pickNext(START, ["tile:jump"], "c1")).toEqual({ kind: "more", picks: ["c1"] });
    });

    test("the same thing twice cancels the first pick", () => {
        expect(pickNext(START, ["a1"], "a1")).toEqual({ kind: "cancelled", picks: [] });
        expect(pickNext(START, ["tile:move", "a1"], "a1")).toEqual({ kind: "cancelled", picks: ["tile:move"] });
        expect(pickNext(START, ["tile:move", "a1"], "tile:move")).toEqual({ kind: "cancelled", picks: [] });
    });

    test("something that is not part of any choice is refused and changes nothing", () => {
        expect(pickNext(START, ["a1"], "e5")).toEqual({ kind: "refused", picks: ["a1"] });
        expect(pickNext(START, [], "slot:0")).toEqual({ kind: "refused", picks: [] });
        expect(pickNext([], [], "a1")).toEqual({ kind: "refused", picks: [] });
    });

    test("refuses exactly what is neither in openPicks nor already picked", () => {
        for (const picks of [[], ["a1"], ["tile:move", "a1"], ["village:forest"]]) {
            const open = openPicks(START, picks);
            for (const pick of ["a1", "a2", "c1", "c2", "c3", "d1", "e5", "tile:move", "slot:0", "village:sea"]) {
                expect(pickNext(START, picks, pick).kind === "refused", `${picks.join()} then ${pick}`).toBe(
                    !open.has(pick) && !picks.includes(pick),
                );
            }
        }
    });
});

describe("choices", () => {
    test.each(Object.keys(moments))("from the server can be completed pick by pick: %s", (kind) => {
        const choices = choicesOf(kind);
        expect(choices.length).toBeGreaterThan(0);
        for (const choice of choices) {
            for (const path of choice.paths) {
                let picks: string[] = [];
                path.forEach((pick, index) => {
                    const result = pickNext(choices, picks, pick);
                    if (index < path.length - 1) expect(result).toEqual({ kind: "more", picks: [...picks, pick] });
                    else expect(result).toMatchObject({ kind: "token", token: choice.token });
                    picks = result.picks;
                });
                expect(completed(choices, path)?.token).toBe(choice.token);
            }
        }
    });

    test("that all start with the same pick force that pick, unless it would complete a choice", () => {
        const only: Choice[] = [
            choice("c4-c5", ["c4 c5"]),
            choice("c4-d5", ["c4 d5"]),
            choice("stop", ["button:stop"]),
        ];
        expect(forcedPicks(only)).toEqual(["c4"]);
        expect(pickNext(only, ["c4"], "c4")).toEqual({ kind: "cancelled", picks: ["c4"] });
        expect(pickNext(only, ["c4"], "button:stop")).toMatchObject({ kind: "token", token: "stop" });
        expect(forcedPicks([choice("xc1", ["c1"])])).toEqual([]);
        expect(forcedPicks(START)).toEqual([]);
    });
});
