/** Where things are on the board, in board units (a space is 100 wide). The numbers come from `cairn.svg.layout`. */
import {
    FIELD_TOP,
    GUTTER,
    LAND_HEIGHT,
    LAND_WIDTH,
    SPACE,
    STRIP,
    TOTEMS as ALL_TOTEMS,
    VILLAGE,
    WAITING_ROOM,
    WAITING_SHAMAN,
} from "./generated/geometry";
import type { Direction } from "./effects";
import { COLUMNS, isSpace, otherTribe, ROWS, type Space, type Tribe } from "./position";

export const WIDTH = LAND_WIDTH;
export const HEIGHT = LAND_HEIGHT;
/** The board's aspect ratio, as a CSS value. */
export const ASPECT = `${WIDTH} / ${HEIGHT}`;
export const FIELD_BOTTOM = FIELD_TOP + 5 * SPACE;

export interface Point {
    readonly x: number;
    readonly y: number;
}

/** The upper left corner of a drawing's 100 × 100 grid, and the size at which it is drawn. */
export interface Placement extends Point {
    readonly size: number;
}

/** The upper left corner of a space, as seen by the tribe at the bottom. */
export function corner(space: Space, orientation: Tribe): Point {
    const { column, row } = screenPlace(space, orientation);
    return { x: GUTTER + SPACE * column, y: FIELD_TOP + SPACE * row };
}

export function centre(space: Space, orientation: Tribe): Point {
    const { x, y } = corner(space, orientation);
    return { x: x + SPACE / 2, y: y + SPACE / 2 };
}

/** The centre of a space or a village; `null` for any other pick. */
export function middleOf(pick: string, orientation: Tribe): Point | null {
    if (isSpace(pick)) return centre(pick, orientation);
    const tribe = villageTribe(pick);
    return tribe ? { x: WIDTH / 2, y: villageTop(tribe, orientation) + VILLAGE / 2 } : null;
}

/** One step in a direction, as seen on the screen, in spaces. */
export function screenStep(direction: Direction, orientation: Tribe): Point {
    const turn = orientation === "forest" ? 1 : -1;
    const aside = direction.endsWith("e") ? 1 : direction.endsWith("w") ? -1 : 0;
    return { x: turn * aside, y: direction.startsWith("n") ? -turn : turn };
}

/** How far beyond the edge of the field an arrow ends. */
const BEYOND = 52;

/** The end of an arrow that leads from the centre of a space off the field in this direction. */
export function pointBeyond(space: Space, direction: Direction, orientation: Tribe): Point {
    const start = centre(space, orientation);
    const { x, y } = screenStep(direction, orientation);
    const length = (y < 0 ? start.y - FIELD_TOP : FIELD_BOTTOM - start.y) + BEYOND;
    return { x: start.x + x * length, y: start.y + y * length };
}

/** A placement inside a space, converted to board coordinates. */
export function onSpace(space: Space, orientation: Tribe, { x, y, size }: Placement): Placement {
    const start = corner(space, orientation);
    return { x: start.x + x, y: start.y + y, size };
}

/** The screen column and row of a space, counted from 0 at the upper left. */
export function screenPlace(space: Space, orientation: Tribe): { column: number; row: number } {
    const column = space.charCodeAt(0) - "a".charCodeAt(0);
    const row = Number(space[1]) - 1;
    return orientation === "forest" ? { column, row: 4 - row } : { column: 4 - column, row };
}

/** The space in a screen column and row; `null` outside the field. */
export function spaceAt(column: number, row: number, orientation: Tribe): Space | null {
    const letter = COLUMNS[orientation === "forest" ? column : 4 - column];
    const digit = ROWS[orientation === "forest" ? 4 - row : row];
    return letter && digit ? `${letter}${digit}` : null;
}

/** All spaces in screen order, top row first. */
export function screenRows(orientation: Tribe): Space[][] {
    return [0, 1, 2, 3, 4].map((row) => [0, 1, 2, 3, 4].flatMap((column) => spaceAt(column, row, orientation) ?? []));
}

/** The upper edge of a tribe's village. */
export function villageTop(tribe: Tribe, orientation: Tribe): number {
    return tribe === orientation ? HEIGHT - VILLAGE : 0;
}

/** The tribe of a pick such as `village:sea`. */
export function villageTribe(pick: string): Tribe | null {
    if (pick === "village:forest") return "forest";
    return pick === "village:sea" ? "sea" : null;
}

/** Where a waiting shaman stands in its village. */
export function waitingPlace(tribe: Tribe, index: number, count: number, orientation: Tribe): Placement {
    const { x, y, size } = WAITING_SHAMAN;
    const step = Math.min(size, WAITING_ROOM / Math.max(count, 1));
    return { x: x + step * index, y: villageTop(tribe, orientation) + y, size };
}

/** The pick at a point on the board: a space, `village:forest` or `village:sea`; `null` if there is none. */
export function pickAt(point: Point, orientation: Tribe): string | null {
    if (point.x < 0 || point.x > WIDTH || point.y < 0 || point.y > HEIGHT) return null;
    if (point.y < VILLAGE + STRIP / 2) return `village:${otherTribe(orientation)}`;
    if (point.y > HEIGHT - VILLAGE - STRIP / 2) return `village:${orientation}`;
    const column = Math.floor((point.x - GUTTER) / SPACE);
    const row = Math.floor((point.y - FIELD_TOP) / SPACE);
    return spaceAt(column, row, orientation);
}

/** Convert a point on the page to board units. The board is centred in `box` and as large as possible. */
export function toBoard(
    x: number,
    y: number,
    box: { left: number; top: number; width: number; height: number },
): Point {
    const scale = Math.min(box.width / WIDTH, box.height / HEIGHT) || 1;
    return {
        x: (x - box.left - (box.width - WIDTH * scale) / 2) / scale,
        y: (y - box.top - (box.height - HEIGHT * scale) / 2) / scale,
    };
}

interface Totem {
    readonly tribe: Tribe;
    readonly colour: "white" | "black";
    readonly face: "w" | "b";
}

/** The totems painted on the ground (B2). */
export const TOTEMS: Readonly<Partial<Record<Space, Totem>>> = ALL_TOTEMS;

/** The name of a totem's drawing. */
export function totemDrawing({ tribe, face }: Totem): string {
    return `totem-${tribe}-${face}`;
}

/** The spaces with a totem. */
export const TOTEM_SPACES = Object.entries(TOTEMS) as [Space, Totem][];
