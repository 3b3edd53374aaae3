/** The puzzles, which are loaded in parts. `src/cairn/puzzles/web.py` writes the files. */
import type { TribeName } from "../../lib/client";
import { partLoader } from "../shared/parts";

export const THEMES = ["exit", "transformation", "chain", "sacrifice", "defence", "extra-turn", "odds"] as const;
export type Theme = (typeof THEMES)[number];

export interface Puzzle {
    readonly id: string;
    readonly variant: "beginner" | "standard" | "expert";
    /** The position at the start of the turn. */
    readonly position: string;
    /** The tokens played in this turn so far, separated by spaces. */
    readonly tokens?: string;
    /** The tribe that has to decide. */
    readonly plays: TribeName;
    readonly goal: "win" | "defend" | "odds";
    /** The number of turns of both tribes within which the goal is reached, counting the current one. */
    readonly turns: number;
    /** The right decision and, for a win, the line against the longest defence, separated by spaces. */
    readonly solution: string;
    readonly themes: readonly Theme[];
    /** The exact chance of the best decision as a fraction, if the goal is the best chance. */
    readonly chance?: string;
    readonly rating: number;
    readonly deviation: number;
}

const DIGITS = "0123456789abcdef";
const DAY = 86_400_000;

const files = import.meta.glob<string>("../../lib/generated/puzzles/*.json", {
    query: "?url",
    import: "default",
    eager: true,
});
const loadFile = partLoader<readonly Puzzle[]>(files);

/** The puzzles whose ids begin with a digit. Rejects if the file cannot be loaded; call again to retry. */
export async function loadPart(digit: string): Promise<readonly Puzzle[]> {
    return (await loadFile(digit)) ?? [];
}

/** The puzzle with an id; `null` if there is none. */
export async function loadPuzzle(id: string): Promise<Puzzle | null> {
    return (await loadPart(id.slice(0, 1))).find((puzzle) => puzzle.id === id) ?? null;
}

/** The day in UTC, as in "2026-11-18". */
export function dayOf(time: Date): string {
    return time.toISOString().slice(0, 10);
}

/** The puzzle of a day, which is the same for everybody. Puzzles repeat only after all have had their day. */
export async function loadDaily(day: string): Promise<Puzzle | null> {
    const number = Math.floor(Date.parse(day) / DAY);
    const part = await loadPart(DIGITS[number % DIGITS.length] ?? "0");
    return part[Math.floor(number / DIGITS.length) % part.length] ?? null;
}

/** What the next puzzle should be like. */
export interface Wish {
    theme: Theme | null;
    rating: number;
    /** The current rating of a puzzle. */
    ratingOf: (puzzle: Puzzle) => number;
    /** Whether the player has tried a puzzle before. */
    isKnown: (id: string) => boolean;
    /** Where to begin the search for a puzzle: a number from 0 to 1. */
    random: number;
}

/**
 * A puzzle that suits the player: one that is new, near the player's rating. Loads as few parts as possible. If all have
 * been tried, they come again. Returns `null` if no puzzle has the theme.
 */
export async function loadNext({ theme, rating, ratingOf, isKnown, random }: Wish): Promise<Puzzle | null> {
    const first = Math.floor(random * DIGITS.length);
    const distance = (puzzle: Puzzle): number => Math.abs(ratingOf(puzzle) - rating);
    let again: Puzzle | null = null;
    for (let step = 0; step < DIGITS.length; step++) {
        const part = await loadPart(DIGITS[(first + step) % DIGITS.length] ?? "0");
        const fitting = part.filter(({ themes }) => theme === null || themes.includes(theme));
        const found = nearest(
            fitting.filter(({ id }) => !isKnown(id)),
            distance,
        );
        if (found) return found;
        again ??= nearest(fitting, distance);
    }
    return again;
}

function nearest(puzzles: readonly Puzzle[], distance: (puzzle: Puzzle) => number): Puzzle | null {
    return puzzles.reduce<Puzzle | null>(
        (best, puzzle) => (best && distance(best) <= distance(puzzle) ? best : puzzle),
        null,
    );
}

/** The tokens of a text. */
export function split(text: string | undefined): string[] {
    return text ? text.split(" ") : [];
}
