/** What a score of the engine means: Forest's expected result, or a proven win. */
import type { TribeName } from "../../lib/client";

/** A proven win in n turns has the score 30,000 - n. The core defines both numbers (native/evaluation.h). */
const WON = 30_000;
const PROVEN_FROM = 29_000;
/** A lead of this many points means that a win is ten times as likely as a loss (src/cairn/engine/score.py). */
const POINTS_PER_TENFOLD = 150;

export interface Expectation {
    /** Forest's expected result, from 0 to 1. */
    forest: number;
    /** The tribe that is proven to win, and within how many turns; `null` if nothing is proven. */
    proven: { winner: TribeName; turns: number } | null;
}

/** The meaning of a score, which is from the point of view of the decider. */
export function expectationOf(score: number, decider: TribeName): Expectation {
    const forForest = decider === "forest" ? score : -score;
    if (Math.abs(score) >= PROVEN_FROM) {
        const winner = forForest > 0 ? "forest" : "sea";
        return { forest: winner === "forest" ? 1 : 0, proven: { winner, turns: WON - Math.abs(score) } };
    }
    return { forest: 1 / (1 + 10 ** (-forForest / POINTS_PER_TENFOLD)), proven: null };
}
