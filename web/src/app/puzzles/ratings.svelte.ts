/**
 * The ratings of the puzzles. The package has first ratings; if there is a server, it rates puzzles by the attempts of
 * people. The last ratings from the server are kept on this device, so that they also hold without a connection.
 */
import { ApiProblem } from "../../lib/client";
import { connection } from "../../lib/connection.svelte";
import { hasServer } from "../../lib/host";
import { MOST_ATTEMPTS, puzzleServer, type PuzzleRatings } from "../../lib/puzzleServer";
import { localStore, readJson, writeJson } from "../../lib/storage";
import { progress } from "./progress.svelte";
import type { PuzzleRating } from "./rating";

const STORE = "cairn.puzzle-ratings";
/** How often the ratings are fetched, in milliseconds. */
const FRESH = 3_600_000;

interface Known {
    /** When the ratings were fetched. */
    readonly time: number;
    /** The rating and the deviation of each puzzle that people have tried. */
    readonly ratings: Readonly<Record<string, readonly [number, number]>>;
}

function read(): Known {
    const { time, ratings } = Object(readJson(localStore, STORE)) as Partial<Known>;
    return typeof time === "number" ? { time, ratings: Object(ratings) as Known["ratings"] } : { time: 0, ratings: {} };
}

let known = $state.raw(read());

function add(ratings: PuzzleRatings, time: number): void {
    const added = Object.entries(ratings).map(([id, { rating, deviation }]) => [id, [rating, deviation]] as const);
    known = { time, ratings: { ...read().ratings, ...Object.fromEntries(added) } };
    writeJson(localStore, STORE, known);
}

/** The rating of a puzzle. Reactive. */
export function ratingOf(puzzle: PuzzleRating & { readonly id: string }): PuzzleRating {
    const found = known.ratings[puzzle.id];
    return Array.isArray(found) ? { rating: found[0], deviation: found[1] } : puzzle;
}

/** Exchanges follow one another, so that no attempt is sent twice. */
let last: Promise<void> = Promise.resolve();

/**
 * Send the first attempts that the server does not have yet, and fetch the ratings if they are old. Attempts that could
 * not be sent stay on this device, and are sent at the next opportunity.
 */
export function exchange(): Promise<void> {
    last = last.then(run, run);
    return last;
}

async function run(): Promise<void> {
    if (!hasServer || connection.lost) return;
    try {
        for (let next = progress.unsent; next.length > 0; next = progress.unsent) {
            const attempts = next.slice(0, MOST_ATTEMPTS);
            const ratings = await puzzleServer.attempt(attempts);
            progress.markSent(attempts.map(({ puzzle }) => puzzle));
            add(ratings, known.time);
        }
        if (Date.now() - known.time < FRESH) return;
        add(await puzzleServer.ratings(), Date.now());
    } catch (problem) {
        // Nothing is lost: the puzzles have ratings, and the attempts are sent later.
        if (!(problem instanceof ApiProblem)) throw problem;
    }
}
