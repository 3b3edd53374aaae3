import { describe, expect, test } from "vitest";

import type { Choice, Moment, Step } from "../../lib/client";
import type { SafeStorage } from "../../lib/storage";
import { dueTip } from "./tips";
import { allSeen, readSeen, TIPS, writeSeen } from "./seenTips";

const choice = (token: string, ...path: string[]) => ({ token, paths: [path] }) as unknown as Choice;
const STEP = choice("a1-a2", "a1", "a2");
const EXIT = choice("c5-out", "c5", "village:sea");

function due(fields: Partial<Moment>, seen: string[], { megaliths = {}, steps = [], rested = null }: Context = {}) {
    const moment = { phase: "action", decider: "forest", turn: 3, choices: [STEP], ...fields } as Moment;
    return dueTip({ moment, table: { megaliths }, steps: steps as Step[] }, new Set(seen), rested);
}
interface Context {
    megaliths?: Record<string, string>;
    steps?: Partial<Step>[];
    rested?: number | null;
}

describe("the tip that is due", () => {
    test("is the goal first, then the tiles", () => {
        expect(due({}, [])).toEqual({ id: "goal", anchor: '.play [data-pick="village:sea"]' });
        expect(due({}, ["goal"], { rested: 3 })?.id).toBe("tiles");
        expect(due({}, ["goal", "tiles"])).toBeNull();
    });

    test("is about the opponent's turn, then about the flip, but not both in one turn", () => {
        const steps = [{ active: "forest" }, { active: "sea" }] as const;
        const known = ["goal", "tiles"];
        expect(due({}, known, { steps: [...steps] })).toMatchObject({ id: "strip", tribe: "sea" });
        expect(due({}, [...known, "strip"], { steps: [...steps], rested: 3 })).toBeNull();
        expect(due({}, [...known, "strip"], { steps: [...steps], rested: 2 })?.id).toBe("flip");
    });

    test("is about a megalith that a shaman can reach", () => {
        const tip = due({}, ["goal", "tiles"], { megaliths: { a2: "DR" } });
        expect(tip).toEqual({ id: "stone", anchor: '.play [data-pick="a2"]', code: "DR" });
    });

    test("is about an exit as soon as one is possible, unless nothing would be built", () => {
        expect(due({ choices: [EXIT] }, ["goal"], { rested: 3 })).toEqual({
            id: "exit",
            anchor: '.play [data-pick="c5"]',
        });
        expect(due({ choices: [EXIT] }, ["goal", "tiles"], { megaliths: { c5: "DR" } })).toBeNull();
    });

    test("is about a transformation that builds", () => {
        const choices = [choice("Tc3", "c3"), choice("-", "button:pass")];
        const transform: Partial<Moment> = { phase: "transform", choices };
        expect(due(transform, ["goal"])).toEqual({ id: "line", anchor: '.play [data-pick="c3"]' });
        expect(due(transform, ["goal"], { megaliths: { c3: "DR" } })).toBeNull();
    });

    test("is absent while chance decides", () => {
        expect(due({ decider: "chance", phase: "draw" }, [])).toBeNull();
    });
});

describe("the tips that a visitor has seen", () => {
    const storage = (values: Record<string, string>): SafeStorage => ({
        getItem: (key) => values[key] ?? null,
        setItem: (key, text) => void (values[key] = text),
        removeItem: () => undefined,
    });

    test("are stored", () => {
        const store = storage({});
        expect(readSeen(store).size).toBe(0);
        writeSeen(store, new Set(["goal"]));
        expect([...readSeen(store)]).toEqual(["goal"]);
        expect(allSeen(store)).toBe(false);
        writeSeen(store, new Set(TIPS));
        expect(allSeen(store)).toBe(true);
    });

    test("are all tips if an earlier version showed the goal", () => {
        expect(allSeen(storage({ "cairn.goal-told": "yes" }))).toBe(true);
    });

    test.each(["", "{", "null", '{"goal": 1}'])("are empty if the stored text is %s", (text) => {
        expect(readSeen(storage({ "cairn.tips": text })).size).toBe(0);
    });

    test("number at most seven", () => {
        expect(TIPS.length).toBeLessThanOrEqual(7);
    });
});
