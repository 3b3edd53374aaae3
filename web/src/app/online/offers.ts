/** When a player can ask the other one for something; the server has the last word. */
import type { GameView, Step, TribeName } from "../../lib/client";

const GRACE = 60_000;
const UNLIMITED_GRACE = 3 * 24 * 3_600_000;

/** Whether a decision of this tribe can still be taken back: no tile was drawn after it. */
export function canTakeBack(steps: readonly Step[], tribe: TribeName): boolean {
    const last = (by: string): number => steps.findLastIndex((step) => step.by === by);
    return last(tribe) > last("chance");
}

/**
 * Whether a game that the other player has left can be claimed. `awayFor`: for how many milliseconds. `now`: the
 * server's time, as `changed` is.
 */
export function canClaim(game: GameView, tribe: TribeName, awayFor: number | undefined, now: number): boolean {
    const other = tribe === "forest" ? "sea" : "forest";
    const asked = game.now.held ?? game.now.decider;
    if (game.now.outcome || asked !== other || awayFor === undefined || game.seats[other].kind !== "person")
        return false;
    const unchangedFor = now - Date.parse(game.changed);
    if (!game.now.clock) return unchangedFor >= UNLIMITED_GRACE;
    return game.now.clock.control.kind === "real-time" && Math.min(awayFor, unchangedFor) >= GRACE;
}
