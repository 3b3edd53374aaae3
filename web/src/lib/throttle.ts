/** Runs at most one action per interval: the first one immediately, and at the end of each interval the latest one. */
export class Throttle {
    readonly #pause: number;
    #timer: ReturnType<typeof setTimeout> | undefined;
    #next: (() => void) | null = null;

    constructor(milliseconds: number) {
        this.#pause = milliseconds;
    }

    run(action: () => void): void {
        this.#next = action;
        if (this.#timer === undefined) this.#runNext();
    }

    /** Run a waiting action now. */
    flush(): void {
        const action = this.#next;
        this.#next = null;
        action?.();
    }

    /** Drop a waiting action. */
    cancel(): void {
        clearTimeout(this.#timer);
        this.#timer = undefined;
        this.#next = null;
    }

    #runNext(): void {
        const action = this.#next;
        this.#next = null;
        this.#timer = action ? setTimeout(() => this.#runNext(), this.#pause) : undefined;
        action?.();
    }
}
