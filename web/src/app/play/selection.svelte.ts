import type { Moment } from "../../lib/client";
import { forcedPicks, pickNext, type Picked } from "../../lib/picking";

/** The picks made so far towards a token. */
export class Selection {
    /** The moment, or `null` if nobody at this screen has to decide. */
    readonly #moment: () => Moment | null;
    picks = $state.raw<readonly string[]>([]);
    /** Picks that are made automatically because there is no alternative. In an action, the player makes all picks. */
    readonly forced: readonly string[] = $derived.by(() => {
        const moment = this.#moment();
        return moment?.phase === "power" ? forcedPicks(moment.choices) : [];
    });
    /** Whether there is anything to cancel. */
    readonly begun: boolean = $derived.by(() => this.picks.length > this.forced.length);

    constructor(moment: () => Moment | null) {
        this.#moment = moment;
    }

    /** Return what this pick would do. */
    try(pick: string): Picked {
        return pickNext(this.#moment()?.choices ?? [], this.picks, pick);
    }

    reset(): void {
        this.picks = this.forced;
    }
}
