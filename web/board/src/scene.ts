/**
 * A table whose shamans have ids, so that each can be followed from place to place.
 *
 * A scene contains no game rules. `apply` makes exactly the change that an effect describes.
 */
import type { Direction, Effect } from "./effects";
import {
    FACES,
    isSpace,
    SHAMANS,
    SPACES,
    TRIBES,
    type Deck,
    type Faces,
    type Space,
    type Table,
    type TileName,
    type Tribe,
} from "./position";

type BySpace<Thing> = Readonly<Partial<Record<Space, Thing>>>;

/** A table with an id for every shaman. A scene can be used wherever a table can. */
export interface Scene extends Table {
    /** The id of the shaman on each space. */
    readonly standing: BySpace<string>;
    /** The ids of the shamans waiting in each village, in order. */
    readonly homes: Readonly<Record<Tribe, readonly string[]>>;
    /** The shaman that is on its way off the field. */
    readonly leaving?: Leaving | undefined;
    /** The id of the shaman that has just left the field and arrived in its village. */
    readonly returned?: string | undefined;
}

/** A shaman on its way off the field. */
export interface Leaving {
    readonly id: string;
    readonly tribe: Tribe;
    readonly origin: Space;
    readonly direction: Direction;
    /** How many spaces the shaman travels: one, or two if it jumps. */
    readonly spaces: number;
}

export type Place =
    | { readonly at: "field"; readonly space: Space }
    | { readonly at: "village"; readonly tribe: Tribe; readonly index: number; readonly count: number }
    | { readonly at: "beyond"; readonly origin: Space; readonly direction: Direction; readonly spaces: number }
    | { readonly at: "slot"; readonly slot: number }
    | { readonly at: "deck" };

export type Shaman = {
    readonly id: string;
    readonly kind: "shaman";
    readonly tribe: Tribe;
    readonly place: Extract<Place, { at: "field" | "village" | "beyond" }>;
};
export type Megalith = { readonly id: string; readonly kind: "megalith"; readonly code: string; readonly place: Place };
export type Piece = Shaman | Megalith;

export function isScene(table: Table | Scene): table is Scene {
    return "standing" in table;
}

/** All shamans, ordered by id, so that the drawing order does not change while they move. */
export function shamansOf(scene: Scene): Shaman[] {
    const found: Shaman[] = [];
    for (const space of SPACES) {
        const [id, tribe] = [scene.standing[space], scene.shamans[space]];
        if (id && tribe) found.push({ id, kind: "shaman", tribe, place: { at: "field", space } });
    }
    for (const tribe of TRIBES) {
        const count = scene.homes[tribe].length;
        scene.homes[tribe].forEach((id, index) =>
            found.push({ id, kind: "shaman", tribe, place: { at: "village", tribe, index, count } }),
        );
    }
    if (scene.leaving) {
        const { id, tribe, ...way } = scene.leaving;
        found.push({ id, kind: "shaman", tribe, place: { at: "beyond", ...way } });
    }
    return found.sort(byId);
}

/** All megaliths, ordered by code. */
export function megalithsOf(table: Table): Megalith[] {
    const found: Megalith[] = [];
    const put = (code: string, place: Place) => found.push({ id: code, kind: "megalith", code, place });
    for (const space of SPACES) {
        const code = table.megaliths[space];
        if (code) put(code, { at: "field", space });
    }
    table.upcoming.forEach((code, slot) => {
        if (code) put(code, { at: "slot", slot });
    });
    for (const code of [...table.deck.unknown, ...table.deck.known]) put(code, { at: "deck" });
    return found.sort(byId);
}

function byId(one: Piece, other: Piece): number {
    return one.id < other.id ? -1 : 1;
}

/**
 * The scene for a table. Shamans keep their ids from `before`: one that has not moved keeps its space, and the nearest
 * of the others moves to each newly occupied space, so that as few shamans as possible move.
 */
export function sceneOf(table: Table | Scene, before?: Scene): Scene {
    if (isScene(table)) return table;
    const standing: Partial<Record<Space, string>> = {};
    const homes: Record<Tribe, readonly string[]> = { forest: [], sea: [] };
    for (const tribe of TRIBES) {
        const spaces = SPACES.filter((space) => table.shamans[space] === tribe);
        const away = new Map<string, Space>();
        let home = [
            ...(before?.homes[tribe] ?? Array.from({ length: SHAMANS }, (_, index) => `${tribe}-${index + 1}`)),
            ...(before?.leaving?.tribe === tribe ? [before.leaving.id] : []),
        ];
        for (const space of SPACES) {
            const id = before?.shamans[space] === tribe ? before.standing[space] : undefined;
            if (id && table.shamans[space] === tribe) standing[space] = id;
            else if (id) away.set(id, space);
        }
        for (const space of spaces.filter((one) => !standing[one])) {
            const nearest = [...away].sort(([, one], [, other]) => distance(one, space) - distance(other, space))[0];
            const id = nearest?.[0] ?? home.at(-1);
            if (id === undefined) continue;
            standing[space] = id;
            if (!away.delete(id)) home = home.slice(0, -1);
        }
        homes[tribe] = [...home, ...away.keys()];
    }
    const { shamans, megaliths, upcoming, deck, faces, scores, active } = table;
    return { shamans, megaliths, upcoming, deck, faces, scores, active, standing, homes };
}

function distance(one: Space, other: Space): number {
    const columns = Math.abs(one.charCodeAt(0) - other.charCodeAt(0));
    const rows = Math.abs(one.charCodeAt(1) - other.charCodeAt(1));
    return Math.hypot(columns, rows);
}

/** The scene while a shaman is leaving the field: it has left its space, but has not yet arrived in its village. */
export function depart(scene: Scene, effect: Extract<Effect, { kind: "left" }>): Scene {
    const { origin, tribe, way } = effect;
    const id = isSpace(origin) ? scene.standing[origin] : undefined;
    if (!isSpace(origin) || !id) return scene;
    const direction = effect.direction ?? (tribe === "forest" ? "n" : "s");
    return {
        ...scene,
        shamans: placed(scene.shamans, origin, undefined),
        standing: placed(scene.standing, origin, undefined),
        leaving: { id, tribe, origin, direction, spaces: way === "jump" ? 2 : 1 },
        returned: undefined,
    };
}

/** The scene after an effect. An effect that does not fit the scene changes nothing. */
export function apply(scene: Scene, effect: Effect): Scene {
    if (effect.kind === "left") return returned(scene.leaving ? scene : depart(scene, effect));
    return changed({ ...returned(scene), returned: undefined }, effect);
}

/** The scene once the shaman that is leaving the field has arrived in its village. */
function returned(scene: Scene): Scene {
    if (!scene.leaving) return scene;
    const { id, tribe } = scene.leaving;
    const homes = { ...scene.homes, [tribe]: [...scene.homes[tribe], id] };
    return { ...scene, homes, leaving: undefined, returned: id };
}

function changed(scene: Scene, effect: Exclude<Effect, { kind: "left" }>): Scene {
    switch (effect.kind) {
        case "added":
            return added(scene, effect.tribe, effect.space);
        case "moved":
            return moved(scene, effect.origin, effect.target);
        case "banished":
            return sentHome(scene, effect.space);
        case "shamans-swapped":
            return {
                ...scene,
                shamans: exchanged(scene.shamans, effect.first, effect.second),
                standing: exchanged(scene.standing, effect.first, effect.second),
            };
        case "flipped":
            return { ...scene, faces: turned(scene.faces, effect.tile, effect.face) };
        case "megalith-moved":
        case "megaliths-swapped": {
            const [one, other] =
                effect.kind === "megalith-moved" ? [effect.origin, effect.target] : [effect.first, effect.second];
            return { ...scene, megaliths: exchanged(scene.megaliths, one, other) };
        }
        case "replaced":
            return {
                ...scene,
                megaliths: placed(scene.megaliths, effect.space, effect.new),
                upcoming: filled(scene.upcoming, effect.slot, null),
                deck: { ...scene.deck, known: [...scene.deck.known, effect.old] },
            };
        case "built": {
            const { tribe, code, space, slot, score } = effect;
            return {
                ...scene,
                megaliths: code === null ? scene.megaliths : placed(scene.megaliths, space, code),
                upcoming: slot === null ? scene.upcoming : filled(scene.upcoming, slot, null),
                scores: score === null ? scene.scores : { ...scene.scores, [tribe]: score },
            };
        }
        case "drawn":
            return {
                ...scene,
                upcoming: filled(scene.upcoming, effect.slot, effect.code),
                deck: without(scene.deck, effect.code),
            };
        case "activated":
        case "copied":
        case "stopped":
        case "extra-turn":
        case "nothing-built":
        case "transformed":
        case "passed":
        case "ended":
            return scene;
    }
}

function added(scene: Scene, tribe: Tribe, space: string): Scene {
    const id = scene.homes[tribe].at(-1);
    if (id === undefined || !isSpace(space)) return scene;
    return {
        ...scene,
        shamans: placed(scene.shamans, space, tribe),
        standing: placed(scene.standing, space, id),
        homes: { ...scene.homes, [tribe]: scene.homes[tribe].slice(0, -1) },
    };
}

function moved(scene: Scene, origin: string, target: string): Scene {
    if (!isSpace(origin) || !scene.standing[origin]) return scene;
    return {
        ...scene,
        shamans: exchanged(scene.shamans, origin, target),
        standing: exchanged(scene.standing, origin, target),
    };
}

function sentHome(scene: Scene, space: string): Scene {
    if (!isSpace(space)) return scene;
    const [tribe, id] = [scene.shamans[space], scene.standing[space]];
    if (!tribe || !id) return scene;
    return {
        ...scene,
        shamans: placed(scene.shamans, space, undefined),
        standing: placed(scene.standing, space, undefined),
        homes: { ...scene.homes, [tribe]: [...scene.homes[tribe], id] },
    };
}

function placed<Thing>(things: BySpace<Thing>, space: string, thing: Thing | undefined): BySpace<Thing> {
    if (!isSpace(space)) return things;
    if (thing !== undefined) return { ...things, [space]: thing };
    return Object.fromEntries(Object.entries(things).filter(([place]) => place !== space)) as BySpace<Thing>;
}

function exchanged<Thing>(things: BySpace<Thing>, one: string, other: string): BySpace<Thing> {
    if (!isSpace(one) || !isSpace(other)) return things;
    return placed(placed(things, one, things[other]), other, things[one]);
}

function turned(faces: Faces, tile: TileName, face: string): Faces {
    const up = FACES[tile].find((one) => one === face);
    return up ? { ...faces, [tile]: up } : faces;
}

function filled(upcoming: Table["upcoming"], slot: number, code: string | null): Table["upcoming"] {
    return slot === 0 ? [code, upcoming[1]] : [upcoming[0], code];
}

/** The deck after a tile has been drawn. If only one tile in unknown order is left, its place becomes known. */
function without(deck: Deck, code: string): Deck {
    if (!deck.unknown.includes(code)) return { ...deck, known: deck.known.filter((one) => one !== code) };
    const unknown = deck.unknown.filter((one) => one !== code);
    return unknown.length > 1 ? { ...deck, unknown } : { unknown: [], known: [...unknown, ...deck.known] };
}
