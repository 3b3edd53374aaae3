/** Where things lie on the board, in units: a space of the field is 100 wide. The drawings are made for these measures. */
import { COLUMNS, ROWS, SPACES, type Space, type Tribe } from "./position";

export const SPACE = 100;
/** Ground left and right of the field. */
export const GUTTER = 26;
/** Ground between field and village. */
export const STRIP = 26;
export const VILLAGE = 88;

export const WIDTH = 5 * SPACE + 2 * GUTTER;
export const HEIGHT = 5 * SPACE + 2 * (STRIP + VILLAGE);
export const FIELD_TOP = VILLAGE + STRIP;
export const FIELD_BOTTOM = FIELD_TOP + 5 * SPACE;

export interface Point {
    readonly x: number;
    readonly y: number;
}

/** The upper left corner of a space, as the tribe that sits below sees it. */
export function corner(space: Space, orientation: Tribe): Point {
    const { column, row } = seen(space, orientation);
    return { x: GUTTER + SPACE * column, y: FIELD_TOP + SPACE * row };
}

export function centre(space: Space, orientation: Tribe): Point {
    const { x, y } = corner(space, orientation);
    return { x: x + SPACE / 2, y: y + SPACE / 2 };
}

/** Column and row of a space on the screen, from the upper left, both from 0. */
export function seen(space: Space, orientation: Tribe): { column: number; row: number } {
    const column = space.charCodeAt(0) - "a".charCodeAt(0);
    const row = Number(space[1]) - 1;
    return orientation === "forest" ? { column, row: 4 - row } : { column: 4 - column, row };
}

/** The space that is seen in a column and row of the screen; beyond the edge there is none. */
export function spaceAt(column: number, row: number, orientation: Tribe): Space | null {
    const letter = COLUMNS[orientation === "forest" ? column : 4 - column];
    const digit = ROWS[orientation === "forest" ? 4 - row : row];
    return letter && digit ? `${letter}${digit}` : null;
}

/** All spaces as they are seen, the upper row first. */
export function spacesSeen(orientation: Tribe): Space[][] {
    return [0, 1, 2, 3, 4].map((row) => [0, 1, 2, 3, 4].flatMap((column) => spaceAt(column, row, orientation) ?? []));
}

/** The upper edge of a tribe's village. */
export function villageTop(tribe: Tribe, orientation: Tribe): number {
    return tribe === orientation ? HEIGHT - VILLAGE : 0;
}

export function otherTribe(tribe: Tribe): Tribe {
    return tribe === "forest" ? "sea" : "forest";
}

/** Where a shaman stands that waits in its village. */
export function waitingPlace(tribe: Tribe, index: number, count: number, orientation: Tribe): Point {
    const room = Math.min(WAITING, 310 / Math.max(count, 1));
    return { x: 84 + room * index, y: villageTop(tribe, orientation) + (VILLAGE - WAITING) / 2 };
}

/** The size of a waiting shaman. */
export const WAITING = 62;

/** What lies under a point of the board: a space, `village:forest`, `village:sea`, or nothing. */
export function pickAt(point: Point, orientation: Tribe): string | null {
    if (point.x < 0 || point.x > WIDTH || point.y < 0 || point.y > HEIGHT) return null;
    if (point.y < VILLAGE + STRIP / 2) return `village:${otherTribe(orientation)}`;
    if (point.y > HEIGHT - VILLAGE - STRIP / 2) return `village:${orientation}`;
    const column = Math.floor((point.x - GUTTER) / SPACE);
    const row = Math.floor((point.y - FIELD_TOP) / SPACE);
    return spaceAt(column, row, orientation);
}

/** A point of the page in units of the board, which is centred in `box` as large as it fits. */
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

/** The stone circles that are painted on the ground. */
export const CIRCLES: readonly Space[] = ["b3", "d3"];

interface Totem {
    readonly tribe: Tribe;
    readonly colour: "white" | "black";
}

/** The totems that are painted on the ground. */
export const TOTEMS: Readonly<Partial<Record<Space, Totem>>> = {
    d1: { tribe: "forest", colour: "white" },
    b1: { tribe: "forest", colour: "black" },
    b5: { tribe: "sea", colour: "white" },
    d5: { tribe: "sea", colour: "black" },
};

/** The spaces with a totem, and the name of its drawing. */
export const TOTEM_DRAWINGS: readonly (readonly [Space, string])[] = SPACES.flatMap((space) => {
    const totem = TOTEMS[space];
    return totem ? [[space, `totem-${totem.tribe}-${totem.colour === "white" ? "w" : "b"}`] as const] : [];
});
