/** Determines whether a player can ask for a takeback or claim the win. The server makes the final decision. */
import { otherTribe } from "@cairn/board/position";

import type { GameView, Step, TribeName } from "../../lib/client";
import type { OfferView } from "../../lib/online";

const GRACE = 60_000;
const UNLIMITED_GRACE = 3 * 24 * 3_600_000;

/** Whether this tribe's last decision can still be taken back, because no tile has been drawn since. */
export function canTakeBack(steps: readonly Step[], tribe: TribeName): boolean {
    const last = (by: string): number => steps.findLastIndex((step) => step.by === by);
    return last(tribe) > last("chance");
}

/** How this player's offer ended without being accepted. */
export interface OfferEnd {
    what: OfferView["what"];
    /** `lapsed`: the game went on without an answer. */
    how: "declined" | "lapsed";
}

/** How this player's offer ended between two states of a game. An accepted offer ends the game or takes steps back. */
export function offerEnd(before: GameView, game: GameView, mine: readonly TribeName[]): OfferEnd | null {
    const own = ({ by }: OfferView): boolean => mine.includes(by);
    const offer = before.now.offers.find(own);
    if (!offer || game.now.outcome || game.now.offers.some(own)) return null;
    if (game.steps.length < before.steps.length) return null;
    return { what: offer.what, how: game.steps.length > before.steps.length ? "lapsed" : "declined" };
}

/**
 * Whether the win can be claimed because the other player has left or, without a clock, has not decided for days.
 * `awayFor` is how long that player has been away, in milliseconds. `now` is the server's time, like `changed`.
 */
export function canClaim(game: GameView, tribe: TribeName, awayFor: number | undefined, now: number): boolean {
    const other = otherTribe(tribe);
    // While a sealed draw is waiting, the clock of the first player who owes a link runs.
    const asked = game.now.owed[0] ?? game.now.held ?? game.now.decider;
    if (game.now.outcome || asked !== other || game.seats[other].kind !== "person") return false;
    const unchangedFor = now - Date.parse(game.changed);
    if (!game.now.clock) return unchangedFor >= UNLIMITED_GRACE;
    const isRealTime = game.now.clock.control.kind === "real-time";
    return isRealTime && awayFor !== undefined && Math.min(awayFor, unchangedFor) >= GRACE;
}
