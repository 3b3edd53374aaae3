/** Keyboard navigation on the board: where each key moves the focus. */
import { screenPlace, spaceAt, villageTribe } from "./layout";
import { isSpace, otherTribe, type Space, type Tribe } from "./position";

/** How many columns and rows each key moves the focus, as seen on the screen. */
const STEPS: Readonly<Record<string, readonly [columns: number, rows: number]>> = {
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowUp: [0, -1],
    ArrowDown: [0, 1],
    Home: [-4, 0],
    End: [4, 0],
};

/** The focused cell, and the last focused space. */
export interface Focus {
    readonly pick: string;
    readonly cursor: Space;
    readonly orientation: Tribe;
}

/**
 * The pick to which a key moves the focus; `null` if the key does not move the focus. Arrow keys move it from space to
 * space, and from the outer rows into the villages and back. Home and End move it to the ends of a row or, with Ctrl,
 * to the corners.
 */
export function walk(event: Pick<KeyboardEvent, "key" | "ctrlKey">, focus: Focus): string | null {
    const step = STEPS[event.key];
    if (!step) return null;
    const { pick, cursor, orientation } = focus;
    const here = isSpace(pick)
        ? screenPlace(pick, orientation)
        : { column: screenPlace(cursor, orientation).column, row: villageTribe(pick) === orientation ? 5 : -1 };
    const [columns, rows] = step;
    const row = event.ctrlKey && rows === 0 ? (columns < 0 ? 0 : 4) : here.row + rows;
    const column = Math.min(4, Math.max(0, here.column + columns));
    if (row === -1) return `village:${otherTribe(orientation)}`;
    if (row === 5) return `village:${orientation}`;
    return spaceAt(column, row, orientation) ?? pick;
}
