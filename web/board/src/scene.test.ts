import { describe, expect, it } from "vitest";

import { parsePosition, SHAMANS, TRIBES, writePosition, type Table } from "./position";
import recorded from "./recorded/steps.json";
import type { Effect } from "./effects";
import { apply, megalithsOf, sceneOf, shamansOf, type Scene } from "./scene";

interface RecordedStep {
    before: string;
    effects: Effect[];
    after: string;
}
const STEPS = recorded as unknown as RecordedStep[];
const START = parsePosition("S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F");

/** The position text without field 7 (whose turn it is), which effects do not change. */
function withoutTurn(table: Table): string {
    return writePosition(table).slice(0, -2);
}

/** Expect every shaman to have its own id, and to stand where the table has a shaman of its tribe. */
function expectConsistent(scene: Scene): void {
    const shamans = shamansOf(scene);
    expect(new Set(shamans.map(({ id }) => id)).size).toBe(2 * SHAMANS);
    for (const tribe of TRIBES) expect(shamans.filter((one) => one.tribe === tribe)).toHaveLength(SHAMANS);
    for (const { id, tribe, place } of shamans) {
        expect(id.startsWith(tribe)).toBe(true);
        if (place.at === "field") expect(scene.shamans[place.space]).toBe(tribe);
    }
}

function placeOf(scene: Scene, id: string) {
    return [...megalithsOf(scene), ...shamansOf(scene)].find((piece) => piece.id === id)?.place;
}

describe("effects", () => {
    it("from real games cover every kind", () => {
        const kinds = new Set(STEPS.flatMap(({ effects }) => effects.map(({ kind }) => kind)));
        expect(kinds.size).toBe(19);
    });

    it.each(STEPS.map((step, index) => [index, step] as const))(
        "from real games turn the table before a step into the table after it: step %i",
        (_, step) => {
            const before = sceneOf(parsePosition(step.before));
            const after = step.effects.reduce(apply, before);
            expect(withoutTurn(after)).toBe(withoutTurn(parsePosition(step.after)));
            expectConsistent(after);
            expect(withoutTurn(before)).toBe(withoutTurn(parsePosition(step.before)));
        },
    );

    it("keep the id of a shaman that moves", () => {
        const scene = sceneOf(parsePosition("5/5/5/1F3/F4 b3CG ---- - wofm 0-0 F"));
        const id = scene.standing.b2 ?? "";
        const moved = apply(scene, {
            kind: "moved",
            tribe: "forest",
            origin: "b2",
            target: "c3",
            way: "step",
            over: null,
            power: null,
        });
        expect(moved.standing).toEqual({ a1: scene.standing.a1, c3: id });
        const home = apply(moved, { kind: "banished", tribe: "forest", space: "c3", power: null });
        expect(placeOf(home, id)).toMatchObject({ at: "village", tribe: "forest" });
        const back = apply(home, { kind: "added", tribe: "forest", space: "d1", power: null });
        expect(back.standing.d1).toBe(id);
    });

    it("that do not fit the scene change nothing", () => {
        const scene = sceneOf(START);
        const nowhere: Effect[] = [
            { kind: "moved", tribe: "sea", origin: "c3", target: "c4", way: "power", over: null, power: "FC" },
            { kind: "banished", tribe: "sea", space: "out", power: null },
            { kind: "added", tribe: "sea", space: "z9", power: null },
            { kind: "flipped", tile: "add", face: "q", power: null },
        ];
        for (const effect of nowhere) expect(apply(scene, effect)).toEqual(scene);
    });
});

describe("sceneOf", () => {
    it("keeps the ids of shamans that stay, and moves the nearest other shaman to a newly occupied space", () => {
        const before = sceneOf(START);
        const after = sceneOf(parsePosition("S1S1S/5/5/1F3/2F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 S"), before);
        expect(after.standing).toEqual({
            b2: before.standing.a1,
            c1: before.standing.c1,
            e1: before.standing.e1,
            a5: before.standing.a5,
            c5: before.standing.c5,
            e5: before.standing.e5,
        });
        expectConsistent(after);
    });

    it("sends missing shamans to the village, and takes new ones from there", () => {
        const before = sceneOf(START);
        const gone = sceneOf(parsePosition("S1S1S/5/5/5/2F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 S"), before);
        expect(gone.homes.forest).toEqual([...before.homes.forest, before.standing.a1]);
        const come = sceneOf(START, gone);
        expect(come.standing.a1).toBe(before.standing.a1);
        expectConsistent(come);
    });

    it("returns a scene unchanged", () => {
        const scene = sceneOf(START);
        expect(sceneOf(scene)).toBe(scene);
        expect(writePosition(scene)).toBe(writePosition(START));
    });
});

it("megalithsOf finds every tile, whether on the field, in a slot or in the deck", () => {
    const places = megalithsOf(START).map(({ code, place }) => [code, place.at]);
    expect(Object.fromEntries(places)).toEqual({
        CG: "field",
        CD: "field",
        DR: "slot",
        MD: "slot",
        AD: "deck",
        CS: "deck",
        PS: "deck",
        SA: "deck",
    });
});
