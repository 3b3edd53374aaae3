/** Reviews a game in workers on this device. */
import { loadModule } from "../../core/module";
import { GameReview } from "../../core/reviewClient";

export type { GameReview } from "../../core/reviewClient";
export type { OpenedGame } from "../../core/review.worker";

/** Start the workers for the review of a record. Rejects if the core cannot be loaded; see `problemOf`. */
export async function startReview(record: string): Promise<GameReview> {
    return new GameReview(await loadModule(), record);
}
