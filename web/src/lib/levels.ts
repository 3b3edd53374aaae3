import { t } from "./i18n";

/** The computer's levels. src/cairn/engine/levels.py defines how each level plays. */
export const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const;

export type Level = (typeof LEVELS)[number];

/** A level; an unknown number counts as level 1. */
export function asLevel(level: number): Level {
    return LEVELS.find((one) => one === level) ?? 1;
}

/** The name of a level, such as "Pebble". */
export function levelName(level: number): string {
    return t(`games.level.${asLevel(level)}`);
}

/** How a level behaves at the table, in a sentence. */
export function levelTemper(level: number): string {
    return t(`games.temper.${asLevel(level)}`);
}

/** The audience of a level, such as "for a first game". */
export function levelAudience(level: number): string {
    return t(`games.for.${asLevel(level)}`);
}
