/** Finds a place for a tip: close to the thing it describes, without covering anything that the player needs. */

export interface Box {
    x: number;
    y: number;
    width: number;
    height: number;
}

export interface Surroundings {
    /** The window, without the header. */
    area: Box;
    /** What the tip describes. */
    anchor: Box;
    /** What must stay visible: the question, the tiles, the targets. */
    needed: readonly Box[];
    /** The marks of the last turn, which the player is probably looking at. */
    marks: readonly Box[];
    /** What should stay visible if possible, such as pieces. */
    preferred: readonly Box[];
    /** What is better covered than a piece, but should stay visible if there is a free place nearby. */
    spare: readonly Box[];
}

/** The distance between candidate places, in pixels. */
const STEP = 8;
/** The cost of covering one square pixel, relative to one pixel of distance. */
const NEEDED = 100;
const MARK = 4;
const PREFERRED = 0.08;
const SPARE = 0.006;

/** The upper left corner of the best place for a box of this size. */
export function findPlace(size: Pick<Box, "width" | "height">, surroundings: Surroundings): { x: number; y: number } {
    const { area, anchor, needed, marks, preferred, spare } = surroundings;
    const right = Math.max(area.x, area.x + area.width - size.width);
    const bottom = Math.max(area.y, area.y + area.height - size.height);
    const clear = {
        x: anchor.x - STEP,
        y: anchor.y - STEP,
        width: anchor.width + 2 * STEP,
        height: anchor.height + 2 * STEP,
    };
    let best = { x: area.x, y: area.y, cost: Infinity };
    for (const y of stops(area.y, bottom, anchor.y - size.height - STEP, anchor.y + anchor.height + STEP)) {
        for (const x of stops(area.x, right, anchor.x + anchor.width / 2 - size.width / 2)) {
            const box = { x, y, ...size };
            const covered =
                overlapAll(box, [...needed, clear]) * NEEDED +
                overlapAll(box, marks) * MARK +
                overlapAll(box, preferred) * PREFERRED +
                overlapAll(box, spare) * SPARE;
            const cost = covered + gap(box, anchor) + Math.abs(x + size.width / 2 - anchor.x - anchor.width / 2) / 4;
            if (cost < best.cost) best = { x, y, cost };
        }
    }
    return { x: best.x, y: best.y };
}

/** The total area of all overlaps. */
export function overlapAll(box: Box, others: readonly Box[]): number {
    return others.reduce((sum, other) => sum + overlap(box, other), 0);
}

function overlap(one: Box, other: Box): number {
    const across = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
    const down = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
    return across > 0 && down > 0 ? across * down : 0;
}

function gap(one: Box, other: Box): number {
    const across = Math.max(one.x, other.x) - Math.min(one.x + one.width, other.x + other.width);
    const down = Math.max(one.y, other.y) - Math.min(one.y + one.height, other.y + other.height);
    return Math.hypot(Math.max(0, across), Math.max(0, down));
}

/** Evenly spaced numbers in a range, and the extra numbers that lie within it. */
function stops(from: number, to: number, ...extra: number[]): number[] {
    const found = extra.filter((each) => each >= from && each <= to);
    for (let at = from; at < to; at += STEP) found.push(at);
    return [...found, to];
}
