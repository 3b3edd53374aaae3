/** When something can be asked of the other player; the server has the last word. */
import type { GameView, Step, TribeName } from "../../lib/client";

const GRACE = 60_000;
const UNLIMITED_GRACE = 3 * 24 * 3_600_000;

/** Whether there is a decision of ours that no drawn tile has come after. */
export function canTakeBack(steps: readonly Step[], tribe: TribeName): boolean {
    const last = (by: string): number => steps.findLastIndex((step) => step.by === by);
    return last(tribe) > last("chance");
}

/** Whether a game that the other player has left can be claimed. `away`: since when, by our clock. */
export function canClaim(game: GameView, tribe: TribeName, away: number | undefined, now: number): boolean {
    const other = tribe === "forest" ? "sea" : "forest";
    const asked = game.now.held ?? game.now.decider;
    if (game.now.outcome || asked !== other || away === undefined || game.seats[other].kind !== "person") return false;
    const changed = Date.parse(game.changed);
    if (!game.now.clock) return now - changed >= UNLIMITED_GRACE;
    return game.now.clock.control.kind === "real-time" && now - Math.max(away, changed) >= GRACE;
}
