import { describe, expect, it, vi } from "vitest";

import { parsePosition, SHAMANS, TRIBES, writePosition, type Table } from "./position";
import { play, rest } from "./playback";
import recorded from "./recorded/steps.json";
import type { Effect } from "./effects";
import { apply, megalithsOf, sceneOf, shamansOf, type Scene } from "./scene";
import { Stage } from "./stage.svelte";

interface RecordedStep {
    before: string;
    effects: Effect[];
    after: string;
}
const STEPS = recorded as unknown as RecordedStep[];
const START = parsePosition("S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F");

/** Without field 7: whose turn it is comes from the server, not from an effect. */
function withoutTurn(table: Table): string {
    return writePosition(table).slice(0, -2);
}

/** Every shaman has its own id, and stands where the table says. */
function expectSound(scene: Scene): void {
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

describe("effects of real games", () => {
    it("are of every kind", () => {
        const kinds = new Set(STEPS.flatMap(({ effects }) => effects.map(({ kind }) => kind)));
        expect(kinds.size).toBe(19);
    });

    it.each(STEPS.map((step, index) => [index, step] as const))(
        "lead from one table to the next: step %i",
        (_, step) => {
            const before = sceneOf(parsePosition(step.before));
            const after = step.effects.reduce(apply, before);
            expect(withoutTurn(after)).toBe(withoutTurn(parsePosition(step.after)));
            expectSound(after);
            expect(withoutTurn(before)).toBe(withoutTurn(parsePosition(step.before)));
        },
    );

    it("keep the same shaman in motion", () => {
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

    it("that do not fit change nothing", () => {
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

describe("a scene of a table", () => {
    it("keeps the ids of those who stay, and moves whoever is nearest", () => {
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
        expectSound(after);
    });

    it("sends home who is missing, and brings who is new from the village", () => {
        const before = sceneOf(START);
        const gone = sceneOf(parsePosition("S1S1S/5/5/5/2F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 S"), before);
        expect(gone.homes.forest).toEqual([...before.homes.forest, before.standing.a1]);
        const come = sceneOf(START, gone);
        expect(come.standing.a1).toBe(before.standing.a1);
        expectSound(come);
    });

    it("is itself when it is a scene already", () => {
        const scene = sceneOf(START);
        expect(sceneOf(scene)).toBe(scene);
        expect(writePosition(scene)).toBe(writePosition(START));
    });

    it("holds every tile: on the field, in a slot, in the deck", () => {
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
});

describe("playing effects", () => {
    const EFFECTS: Effect[] = [
        { kind: "moved", tribe: "forest", origin: "a1", target: "a2", way: "step", over: null, power: null },
        { kind: "flipped", tile: "move", face: "d", power: null },
        { kind: "banished", tribe: "sea", space: "c5", power: null },
    ];

    it("shows one after another, in time", async () => {
        vi.useFakeTimers();
        const shown: string[] = [];
        const done = play(sceneOf(START), EFFECTS, { pace: 100, show: (_, effect) => shown.push(effect.kind) });
        expect(shown).toEqual(["moved"]);
        await vi.advanceTimersByTimeAsync(110);
        expect(shown).toEqual(["moved"]);
        await vi.advanceTimersByTimeAsync(10);
        expect(shown).toEqual(["moved", "flipped"]);
        await vi.runAllTimersAsync();
        expect(withoutTurn(await done)).toBe("S3S/5/5/F4/2F1F b3CG,d3CD DRMD (ADCSPSSA) wdfm 0-0");
        vi.useRealTimers();
    });

    it("takes no time at pace 0", async () => {
        const stage = new Stage(START);
        await stage.play(EFFECTS, 0);
        expect(withoutTurn(stage.scene)).toBe("S3S/5/5/F4/2F1F b3CG,d3CD DRMD (ADCSPSSA) wdfm 0-0");
        expect(stage.effect).toBeNull();
    });

    it("leaves nothing behind on the signal after a rest, and does not rest once it is aborted", async () => {
        const control = new AbortController();
        const added = vi.spyOn(control.signal, "addEventListener");
        const removed = vi.spyOn(control.signal, "removeEventListener");
        for (let count = 0; count < 3; count++) await rest(1, control.signal);
        expect(added).toHaveBeenCalledTimes(3);
        expect(removed.mock.calls).toEqual(added.mock.calls);
        control.abort();
        await rest(60_000, control.signal);
    });

    it("skips to the end when it is aborted", async () => {
        const stage = new Stage(START);
        const skip = new AbortController();
        const done = stage.play(EFFECTS, 60_000, skip.signal);
        expect(stage.effect).toBe(EFFECTS[0]);
        skip.abort();
        await done;
        expect(stage.scene.shamans.c5).toBeUndefined();
        expect(stage.effect).toBeNull();
    });

    it("never comes back after something else was shown", async () => {
        const stage = new Stage(START);
        const skip = new AbortController();
        const done = stage.play(EFFECTS, 60_000, skip.signal);
        skip.abort();
        stage.show(START);
        await done;
        expect(writePosition(stage.scene)).toBe(writePosition(START));
    });
});
