/**
 * Parses positions from their seven-field text and writes them back.
 *
 * The text may describe any moment, even during a turn or after the end, so a slot can be empty while tiles are left in
 * the deck, and a score can be 3. Only the syntax is checked here; the server decides whether a position is legal.
 */
import { FACES as TILE_FACES, SHAMANS_PER_TRIBE } from "./generated/tiles";

export type Tribe = "forest" | "sea";
export type Column = "a" | "b" | "c" | "d" | "e";
export type Row = "1" | "2" | "3" | "4" | "5";
export type Space = `${Column}${Row}`;
export type TileName = "add" | "move" | "jump" | "transformation";

/** Whether a value is a tribe. A decider, for example, may also be `chance` or `null`. */
export function isTribe(value: unknown): value is Tribe {
    return value === "forest" || value === "sea";
}

export function otherTribe(tribe: Tribe): Tribe {
    return tribe === "forest" ? "sea" : "forest";
}

/** The visible faces of the three action tiles and the transformation tile, as the letters in a position text. */
export interface Faces {
    readonly add: "w" | "b";
    readonly move: "o" | "d";
    readonly jump: "f" | "e";
    readonly transformation: "m" | "e";
}

/** The tiles that may still be drawn: first those in unknown order, then those whose order is known. */
export interface Deck {
    readonly unknown: readonly string[];
    readonly known: readonly string[];
}

/** Everything on the table. A megalith is identified by its code, such as `DR`. */
export interface Table {
    readonly shamans: Readonly<Partial<Record<Space, Tribe>>>;
    readonly megaliths: Readonly<Partial<Record<Space, string>>>;
    /** The two slots; `null` means empty. */
    readonly upcoming: readonly [string | null, string | null];
    readonly deck: Deck;
    readonly faces: Faces;
    readonly scores: Readonly<Record<Tribe, number>>;
    readonly active: Tribe;
}

/** A malformed position text. The message states where the error is. */
export class PositionError extends Error {
    override name = "PositionError";
}

export const TRIBES = ["forest", "sea"] as const;
export const COLUMNS = ["a", "b", "c", "d", "e"] as const;
export const ROWS = ["1", "2", "3", "4", "5"] as const;
export const TILES = ["add", "move", "jump", "transformation"] as const;

/** The 25 spaces, in the order in which a position text lists megaliths: `a1 b1 … e1 a2 … e5`. */
export const SPACES: readonly Space[] = ROWS.flatMap((row) => COLUMNS.map((column): Space => `${column}${row}`));

/** The two faces of every tile. */
export const FACES: { readonly [Tile in TileName]: readonly [Faces[Tile], Faces[Tile]] } = TILE_FACES;

/** How many shamans a tribe has in total, in its village and on the field. */
export const SHAMANS = SHAMANS_PER_TRIBE;

const FIELDS = 7;
const LETTERS: Readonly<Record<Tribe, string>> = { forest: "F", sea: "S" };

export function isSpace(text: string): text is Space {
    return /^[a-e][1-5]$/.test(text);
}

/** The opposite face of a tile. */
export function otherFace<Tile extends TileName>(tile: Tile, face: Faces[Tile]): Faces[Tile] {
    const [first, second] = FACES[tile];
    return face === first ? second : first;
}

/** How many of a tribe's shamans are waiting in its village. */
export function waiting(table: Pick<Table, "shamans">, tribe: Tribe): number {
    return SHAMANS - Object.values(table.shamans).filter((owner) => owner === tribe).length;
}

/** How many tiles are left in the deck. */
export function deckSize(table: Pick<Table, "deck">): number {
    return table.deck.unknown.length + table.deck.known.length;
}

/** Parse a position text. Throws a {@link PositionError} whose message names the malformed field. */
export function parsePosition(text: string): Table {
    const fields = text.split(" ");
    if (fields.length !== FIELDS) {
        throw new PositionError(`A position has ${FIELDS} fields, but this text has ${fields.length}.`);
    }
    const [shamans, megaliths, upcoming, deck, faces, scores, active] = fields as [
        string,
        string,
        string,
        string,
        string,
        string,
        string,
    ];
    return {
        shamans: readShamans(shamans),
        megaliths: readMegaliths(megaliths),
        upcoming: readUpcoming(upcoming),
        deck: readDeck(deck),
        faces: readFaces(faces),
        scores: readScores(scores),
        active: readTribe(active),
    };
}

/** Write a position text. Equal tables give the same text. */
export function writePosition(table: Table): string {
    return [
        writeShamans(table),
        writeMegaliths(table),
        table.upcoming.map((code) => code ?? "--").join(""),
        writeDeck(table.deck),
        TILES.map((tile) => table.faces[tile]).join(""),
        `${table.scores.forest}-${table.scores.sea}`,
        LETTERS[table.active],
    ].join(" ");
}

function readShamans(field: string): Table["shamans"] {
    const rows = field.split("/");
    if (rows.length !== ROWS.length) throw new PositionError(`Shamans: "${field}" does not have five rows.`);
    const found: Partial<Record<Space, Tribe>> = {};
    const left: Record<Tribe, number> = { forest: SHAMANS, sea: SHAMANS };
    rows.forEach((line, index) => {
        const row = ROWS[ROWS.length - 1 - index] ?? "1";
        let place = 0;
        if (/\d\d/.test(line)) throw new PositionError(`Shamans: the row "${line}" has two digits side by side.`);
        for (const letter of line) {
            if (/[1-5]/.test(letter)) {
                place += Number(letter);
                continue;
            }
            const tribe = readTribe(letter, "Shamans");
            const column = COLUMNS[place++];
            if (column === undefined) break;
            if (left[tribe]-- === 0) throw new PositionError(`Shamans: more than ${SHAMANS} of one tribe.`);
            found[`${column}${row}`] = tribe;
        }
        if (place !== COLUMNS.length) throw new PositionError(`Shamans: the row "${line}" is not five spaces wide.`);
    });
    return found;
}

function writeShamans({ shamans }: Table): string {
    return [...ROWS]
        .reverse()
        .map((row) =>
            COLUMNS.map((column) => {
                const tribe = shamans[`${column}${row}`];
                return tribe ? LETTERS[tribe] : "1";
            })
                .join("")
                .replace(/1+/g, (gap) => String(gap.length)),
        )
        .join("/");
}

function readMegaliths(field: string): Table["megaliths"] {
    const found: Partial<Record<Space, string>> = {};
    if (field === "-") return found;
    for (const part of field.split(",")) {
        const space = part.slice(0, 2);
        if (!isSpace(space)) throw new PositionError(`Megaliths: "${part}" does not start with a space on the field.`);
        if (found[space]) throw new PositionError(`Megaliths: two megaliths on ${space}.`);
        found[space] = readCode(part.slice(2), "Megaliths");
    }
    return found;
}

function writeMegaliths({ megaliths }: Table): string {
    return SPACES.flatMap((space) => (megaliths[space] ? [space + megaliths[space]] : [])).join(",") || "-";
}

function readUpcoming(field: string): Table["upcoming"] {
    if (field.length !== 4) throw new PositionError(`Upcoming: "${field}" is not two slots of two letters each.`);
    const slot = (text: string) => (text === "--" ? null : readCode(text, "Upcoming"));
    return [slot(field.slice(0, 2)), slot(field.slice(2))];
}

function readDeck(field: string): Deck {
    if (field === "-") return { unknown: [], known: [] };
    const parts = /^(?:\(([A-Z]{4,})\))?([A-Z]*)$/.exec(field);
    if (!parts) throw new PositionError(`Deck: "${field}" is not a list of tiles.`);
    return { unknown: readCodes(parts[1] ?? "", "Deck"), known: readCodes(parts[2] ?? "", "Deck") };
}

function writeDeck({ unknown, known }: Deck): string {
    return (unknown.length ? `(${unknown.join("")})` : "") + known.join("") || "-";
}

function readFaces(field: string): Faces {
    const [add, move, jump, transformation] = field;
    if (
        field.length !== TILES.length ||
        (add !== "w" && add !== "b") ||
        (move !== "o" && move !== "d") ||
        (jump !== "f" && jump !== "e") ||
        (transformation !== "m" && transformation !== "e")
    ) {
        throw new PositionError(`Tile faces: expected w or b, o or d, f or e, and m or e, not "${field}".`);
    }
    return { add, move, jump, transformation };
}

function readScores(field: string): Table["scores"] {
    const parts = /^([0-3])-([0-3])$/.exec(field);
    if (!parts) throw new PositionError(`Scores: "${field}" is not two numbers from 0 to 3 with a dash between them.`);
    return { forest: Number(parts[1]), sea: Number(parts[2]) };
}

function readTribe(letter: string, field = "Active player"): Tribe {
    const tribe = TRIBES.find((one) => LETTERS[one] === letter);
    if (!tribe) throw new PositionError(`${field}: "${letter}" is neither F nor S.`);
    return tribe;
}

function readCode(text: string, field: string): string {
    if (!/^[A-Z]{2}$/.test(text)) throw new PositionError(`${field}: "${text}" is not a megalith code.`);
    return text;
}

function readCodes(text: string, field: string): string[] {
    if (text.length % 2) throw new PositionError(`${field}: "${text}" is not a list of two-letter codes.`);
    return text.match(/../g) ?? [];
}
