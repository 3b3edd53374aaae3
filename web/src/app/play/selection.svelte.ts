import type { Moment } from "../../lib/client";
import { forcedPicks, pickNext, type Picked } from "../../lib/picking";

/** What has been picked towards a token. */
export class Selection {
    /** The moment that asks somebody at this screen. */
    readonly #moment: () => Moment | null;
    picks = $state.raw<readonly string[]>([]);
    /** What needs no picking. In an action everything is the player's choice. */
    readonly forced: readonly string[] = $derived.by(() => {
        const moment = this.#moment();
        return moment?.phase === "power" ? forcedPicks(moment.choices) : [];
    });
    /** Whether there is something that can be cancelled. */
    readonly begun: boolean = $derived.by(() => this.picks.length > this.forced.length);

    constructor(moment: () => Moment | null) {
        this.#moment = moment;
    }

    /** What picking this would mean. */
    try(pick: string): Picked {
        return pickNext(this.#moment()?.choices ?? [], this.picks, pick);
    }

    reset(): void {
        this.picks = this.forced;
    }
}
