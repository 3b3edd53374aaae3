/** Runs the latest of several actions at most once in a while: the first one at once, the last one in any case. */
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

    /** Run an action that still waits now. */
    flush(): void {
        const action = this.#next;
        this.#next = null;
        action?.();
    }

    /** Drop an action that still waits. */
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
