/** The keyboard on the board: where a key leads from a cell. */
import { otherTribe, screenPlace, spaceAt, villageTribe } from "./layout";
import { isSpace, type Space, type Tribe } from "./position";

/** Columns and rows that a key moves, as seen on the screen. */
const STEPS: Readonly<Record<string, readonly [columns: number, rows: number]>> = {
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowUp: [0, -1],
    ArrowDown: [0, 1],
    Home: [-4, 0],
    End: [4, 0],
};

/** The cell that has the focus, and the space that the focus was on last. */
export interface Focus {
    readonly pick: string;
    readonly cursor: Space;
    readonly orientation: Tribe;
}

/**
 * The pick that a key leads to; `null` for a key that does not walk. Arrow keys go from space to space, and from the
 * outer rows into the villages and back. Home and End go to the ends of a row, with Ctrl to the corners.
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
