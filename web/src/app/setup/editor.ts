/**
 * Functions for editing a table. Each megalith is in only one place, so putting it somewhere removes it from its
 * previous place. The result may be an illegal position; the server or the core checks it.
 */
import { isMegalith } from "../../lib/megaliths";
import {
    otherFace,
    SPACES,
    waiting,
    type Deck,
    type Space,
    type Table,
    type TileName,
    type Tribe,
} from "@cairn/board/position";

export type Tool =
    | { readonly kind: "hand" }
    | { readonly kind: "erase" }
    | { readonly kind: "shaman"; readonly tribe: Tribe }
    | { readonly kind: "megalith"; readonly code: string };

/** Where a megalith is: on a space, in a slot, in the deck, or in the box (not in the game). */
export type Where = Space | "slot:0" | "slot:1" | "deck" | "box";

export { START } from "../../lib/startPosition";
export const EMPTY = "5/5/5/5/5 - ---- - wofm 0-0 F";

export function whereIs(table: Table, code: string): Where {
    const space = SPACES.find((one) => table.megaliths[one] === code);
    if (space) return space;
    if (table.upcoming[0] === code) return "slot:0";
    if (table.upcoming[1] === code) return "slot:1";
    return [...table.deck.unknown, ...table.deck.known].includes(code) ? "deck" : "box";
}

/** Put a shaman on a space; a shaman already there returns to its village. `null` if no shaman of the tribe is left. */
export function putShaman(table: Table, space: Space, tribe: Tribe): Table | null {
    if (table.shamans[space] !== tribe && waiting(table, tribe) <= 0) return null;
    return { ...table, shamans: { ...table.shamans, [space]: tribe } };
}

/** Put a megalith somewhere; a megalith already there goes to the box. `ordered`: the order of the deck is known. */
export function putMegalith(table: Table, code: string, where: Where, ordered = false): Table {
    const cleared = without(table, code);
    if (where === "box") return cleared;
    if (where === "deck") return { ...cleared, deck: withTile(cleared.deck, code, ordered) };
    if (where === "slot:0") return { ...cleared, upcoming: [code, cleared.upcoming[1]] };
    if (where === "slot:1") return { ...cleared, upcoming: [cleared.upcoming[0], code] };
    return { ...cleared, megaliths: { ...cleared.megaliths, [where]: code } };
}

/** Remove the top piece from a space: the shaman, or else the megalith. */
export function erase(table: Table, space: Space): Table {
    const { [space]: shaman, ...shamans } = table.shamans;
    if (shaman) return { ...table, shamans };
    const { [space]: megalith, ...megaliths } = table.megaliths;
    return megalith ? { ...table, megaliths } : table;
}

/** Move the top piece from one space to another, replacing any piece of the same kind. */
export function move(table: Table, from: Space, to: Space): Table {
    if (from === to) return table;
    const { [from]: shaman, ...shamans } = table.shamans;
    if (shaman) return { ...table, shamans: { ...shamans, [to]: shaman } };
    const { [from]: megalith, ...megaliths } = table.megaliths;
    return megalith ? { ...table, megaliths: { ...megaliths, [to]: megalith } } : table;
}

export function isEmpty(table: Table, space: Space): boolean {
    return !table.shamans[space] && !table.megaliths[space];
}

export function flip(table: Table, tile: TileName): Table {
    return { ...table, faces: { ...table.faces, [tile]: otherFace(tile, table.faces[tile]) } };
}

export function withScore(table: Table, tribe: Tribe, score: number): Table {
    return { ...table, scores: { ...table.scores, [tribe]: score } };
}

/** Whether the order of the whole deck is known. False for a single tile, which has no order. */
export function isOrdered({ unknown, known }: Deck): boolean {
    return unknown.length === 0 && known.length > 1;
}

/** The same table, with the order of the deck known (as listed) or unknown. */
export function withOrder(table: Table, ordered: boolean): Table {
    const tiles = [...table.deck.unknown, ...table.deck.known];
    return { ...table, deck: ordered ? { unknown: [], known: tiles } : canonical({ unknown: tiles, known: [] }) };
}

function withTile(deck: Deck, code: string, ordered: boolean): Deck {
    if (ordered) return { unknown: deck.unknown, known: [...deck.known, code] };
    // A single tile is listed as known only because one tile has no order.
    const single = deck.unknown.length === 0 && deck.known.length === 1;
    return canonical(
        single
            ? { unknown: [...deck.known, code], known: [] }
            : { unknown: [...deck.unknown, code], known: deck.known },
    );
}

function without(table: Table, code: string): Table {
    const keep = (tile: string | null): string | null => (tile === code ? null : tile);
    const megaliths = Object.fromEntries(Object.entries(table.megaliths).filter(([, tile]) => tile !== code));
    return {
        ...table,
        megaliths,
        upcoming: [keep(table.upcoming[0]), keep(table.upcoming[1])],
        deck: canonical({
            unknown: table.deck.unknown.filter((tile) => tile !== code),
            known: table.deck.known.filter((tile) => tile !== code),
        }),
    };
}

/** The same table without the unknown or duplicate megaliths that a text may contain. */
export function drawable(table: Table): Table {
    const seen = new Set<string>();
    const keep = (code: string | null): boolean =>
        code !== null && isMegalith(code) && !seen.has(code) && Boolean(seen.add(code));
    const megaliths = Object.fromEntries(Object.entries(table.megaliths).filter(([, code]) => keep(code)));
    const [one, two] = table.upcoming;
    return {
        ...table,
        megaliths,
        upcoming: [keep(one) ? one : null, keep(two) ? two : null],
        deck: canonical({ unknown: table.deck.unknown.filter(keep), known: table.deck.known.filter(keep) }),
    };
}

/** Sorts the tiles of unknown order alphabetically. A single tile counts as known. */
function canonical({ unknown, known }: Deck): Deck {
    if (unknown.length === 1) return { unknown: [], known: [...unknown, ...known] };
    return { unknown: [...unknown].sort(), known };
}
