/**
 * The player's own puzzle rating, by Mark Glickman's Glicko system. It is kept on this device and affects nobody else.
 * The server rates puzzles and players by its own account of their attempts.
 */
export interface PuzzleRating {
    readonly rating: number;
    readonly deviation: number;
}

/** The rating of somebody who has solved no puzzle yet. */
export const FIRST_RATING: PuzzleRating = { rating: 900, deviation: 150 };

/** Below this, a rating would hardly change any more. */
const LEAST_DEVIATION = 60;
const Q = Math.LN10 / 400;

/** The player's rating after an attempt at a puzzle. */
export function rated(player: PuzzleRating, puzzle: PuzzleRating, solved: boolean): PuzzleRating {
    const shrink = 1 / Math.sqrt(1 + (3 * (Q * puzzle.deviation) ** 2) / Math.PI ** 2);
    const expected = 1 / (1 + 10 ** ((-shrink * (player.rating - puzzle.rating)) / 400));
    const information = (Q * shrink) ** 2 * expected * (1 - expected);
    const variance = 1 / (1 / player.deviation ** 2 + information);
    return {
        rating: player.rating + Q * variance * shrink * (Number(solved) - expected),
        deviation: Math.max(LEAST_DEVIATION, Math.sqrt(variance)),
    };
}
