/** The server's API for puzzles. Every function throws an `ApiProblem` if the request fails. */
import type { components } from "./api";
import { json, send } from "./client";

type Schemas = components["schemas"];
export type PuzzleAttempt = Schemas["PuzzleAttempt"];
export type PuzzleRatings = Schemas["PuzzleRatings"]["ratings"];

/** The most attempts in one request. */
export const MOST_ATTEMPTS = 20;

export const puzzleServer = {
    /** The ratings of the puzzles that people have tried. */
    ratings: async (): Promise<PuzzleRatings> =>
        (await json<Schemas["PuzzleRatings"]>("GET", "/puzzles/ratings")).ratings,
    /** Send first attempts. Resolves with the new ratings of their puzzles. */
    attempt: async (attempts: readonly PuzzleAttempt[]): Promise<PuzzleRatings> =>
        (await json<Schemas["PuzzleRatings"]>("POST", "/puzzles/attempts", { attempts })).ratings,
    report: async (id: string, text: string): Promise<void> =>
        void (await send("POST", `/puzzles/${id}/report`, { text })),
};
