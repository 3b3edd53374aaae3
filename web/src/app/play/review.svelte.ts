/** A cursor over the steps of a game: looking back, and going through a finished game. */
export class Review {
    /** The moment that is looked at, as a number of steps played; `null` follows the game. */
    #cursor = $state<number | null>(null);

    get cursor(): number | null {
        return this.#cursor;
    }

    get active(): boolean {
        return this.#cursor !== null;
    }

    /** Look at the moment after `count` of `last` steps. The last moment is the game itself, unless it is over. */
    goTo(count: number, last: number, isOver: boolean): void {
        const step = Math.max(0, Math.min(count, last));
        this.#cursor = step === last && !isOver ? null : step;
    }

    /** Begin at a moment that the address names, before the game is known. */
    startAt(step: number | null): void {
        this.#cursor = step;
    }

    /** The game has `last` steps now. */
    limit(last: number): void {
        if (this.#cursor !== null) this.#cursor = Math.min(this.#cursor, last);
    }

    end(): void {
        this.#cursor = null;
    }
}
