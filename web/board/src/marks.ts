/** The marks on the board. Each meaning has its own shape, drawn on the 100 × 100 grid of a space. */
import { FRAME } from "./generated/geometry";
import type { Space, Table, TileName } from "./position";

/** Which piece a pick refers to if its space holds both a shaman and a megalith. */
export type Aim = "shaman" | "megalith";

/** What a pick on a space refers to: the shaman, the megalith, or the empty space. */
export type Grip = "shaman" | "megalith" | "space";

export function gripOf(table: Table, space: Space, aim: Aim): Grip {
    const [shaman, megalith] = [table.shamans[space], table.megaliths[space]];
    if (shaman && !(megalith && aim === "megalith")) return "shaman";
    return megalith ? "megalith" : "space";
}

/** The ring around whatever a pick on a space refers to. */
export function ringAround(table: Table, space: Space, aim: Aim): string {
    const grip = gripOf(table, space, aim);
    if (grip === "megalith") return FRAME;
    if (grip === "space") return circle(50, 50, 41);
    // A shaman is drawn smaller on a megalith.
    return table.megaliths[space] ? circle(66, 65, 29) : circle(50, 51, 43);
}

function circle(x: number, y: number, radius: number): string {
    return `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0Z`;
}

/** Small signs next to the ring of a target. */
export interface Tag {
    /** The tiles that lead there, or that can be used next. */
    readonly tiles?: readonly TileName[] | undefined;
    /** A point, or an effect that cannot be avoided. */
    readonly note?: "+1" | "!" | undefined;
}

/** An outline around the whole space, slightly beyond its edge. */
export const EDGE = "M16 -2H84Q102 -2 102 16V84Q102 102 84 102H16Q-2 102 -2 84V16Q-2 -2 16 -2Z";
