/** The player's puzzle rating, the puzzles tried, and the streak of daily puzzles. Stored on this device. */
import type { PuzzleAttempt } from "../../lib/puzzleServer";
import { localStore, readJson, writeJson } from "../../lib/storage";
import { dayOf, type Puzzle } from "./puzzle";
import { FIRST_RATING, rated, type PuzzleRating } from "./rating";

const STORE = "cairn.puzzles";
const DAY = 86_400_000;

interface Stored extends PuzzleRating {
    /** For each puzzle that was tried, whether it was solved at the first attempt. */
    readonly tried: Readonly<Record<string, boolean>>;
    /** The puzzles in `tried` that the server does not know of yet, oldest first. */
    readonly unsent: readonly string[];
    /** The last day whose puzzle was solved. */
    readonly day: string;
    /** For how many days in a row the puzzle of the day was solved, up to that day. */
    readonly streak: number;
}

const NOTHING: Stored = { ...FIRST_RATING, tried: {}, unsent: [], day: "", streak: 0 };

function read(): Stored {
    const value = Object(readJson(localStore, STORE)) as Partial<Stored>;
    const number = (found: unknown, otherwise: number): number =>
        typeof found === "number" && Number.isFinite(found) ? found : otherwise;
    const tried = Object(value.tried ?? {}) as Stored["tried"];
    return {
        rating: number(value.rating, NOTHING.rating),
        deviation: number(value.deviation, NOTHING.deviation),
        tried,
        // Attempts from before they were sent to servers are sent too.
        unsent: (Array.isArray(value.unsent) ? value.unsent : Object.keys(tried)).filter((id) => id in tried),
        day: typeof value.day === "string" ? value.day : "",
        streak: number(value.streak, 0),
    };
}

let stored = $state.raw(read());

function write(next: Stored): void {
    stored = next;
    writeJson(localStore, STORE, next);
}

function dayBefore(day: string): string {
    return dayOf(new Date(Date.parse(day) - DAY));
}

export const progress = {
    /** The player's rating. Reactive. */
    get rating(): number {
        return Math.round(stored.rating);
    },
    /** Whether the rating is still a guess. */
    get isNew(): boolean {
        return Object.keys(stored.tried).length === 0;
    },
    /** How many puzzles were solved at the first attempt. Reactive. */
    get solved(): number {
        return Object.values(stored.tried).filter(Boolean).length;
    },
    /** How many puzzles were tried. Reactive. */
    get tried(): number {
        return Object.keys(stored.tried).length;
    },
    isKnown: (id: string): boolean => id in stored.tried,
    /** For how many days in a row the daily puzzle was solved. A day that is not over yet does not end the streak. */
    streak(today: string): number {
        return stored.day === today || stored.day === dayBefore(today) ? stored.streak : 0;
    },
    /** Whether today's puzzle was solved. */
    isDailyDone: (today: string): boolean => stored.day === today,
    /** Rate the first attempt at a puzzle, whose rating may have changed since it was published. Later ones are ignored. */
    record({ id }: Puzzle, rating: PuzzleRating, solved: boolean): void {
        // Read again, because another tab may have changed it in the meantime.
        const before = read();
        if (id in before.tried) return;
        const tried = { ...before.tried, [id]: solved };
        write({ ...before, ...rated(before, rating, solved), tried, unsent: [...before.unsent, id] });
    },
    /** The first attempts that the server does not know of yet, oldest first. */
    get unsent(): PuzzleAttempt[] {
        const { tried, unsent } = read();
        return unsent.map((puzzle) => ({ puzzle, solved: tried[puzzle] === true }));
    },
    /** Note that the server has stored attempts. */
    markSent(puzzles: readonly string[]): void {
        const before = read();
        write({ ...before, unsent: before.unsent.filter((id) => !puzzles.includes(id)) });
    },
    /** Count the daily puzzle as solved, however many attempts it took. */
    recordDaily(today: string): void {
        const before = read();
        if (before.day === today) return;
        write({ ...before, day: today, streak: before.day === dayBefore(today) ? before.streak + 1 : 1 });
    },
};
