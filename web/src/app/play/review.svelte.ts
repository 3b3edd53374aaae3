/** A cursor over the steps of a game, for looking back and for stepping through a finished game. */
export class Review {
    /** The reviewed moment, as a number of steps played; `null` to follow the live game. */
    #cursor = $state<number | null>(null);

    get cursor(): number | null {
        return this.#cursor;
    }

    get active(): boolean {
        return this.#cursor !== null;
    }

    /** Review the moment after `count` of `last` steps. The last moment is the live game, unless the game is over. */
    goTo(count: number, last: number, isOver: boolean): void {
        const step = Math.max(0, Math.min(count, last));
        this.#cursor = step === last && !isOver ? null : step;
    }

    /** Start at the moment in the URL. Call this before the game has loaded. */
    startAt(step: number | null): void {
        this.#cursor = step;
    }

    /** Clamp the cursor to the `last` steps that the game now has. */
    limit(last: number): void {
        if (this.#cursor !== null) this.#cursor = Math.min(this.#cursor, last);
    }

    end(): void {
        this.#cursor = null;
    }
}
