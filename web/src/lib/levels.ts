import { t } from "./i18n";

/** The computer's levels. src/cairn/engine/levels.py defines how each level plays. */
export const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const;

export type Level = (typeof LEVELS)[number];

function known(level: number): Level {
    return LEVELS.find((one) => one === level) ?? 1;
}

/** The name of a level, such as "Pebble". */
export function levelName(level: number): string {
    return t(`games.level.${known(level)}`);
}

/** The audience of a level, such as "for a first game". */
export function levelAudience(level: number): string {
    return t(`games.for.${known(level)}`);
}
