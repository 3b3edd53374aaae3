/** How long a press is a long one, in milliseconds. */
export const LONG_PRESS = 450;

/** A long press on a button: it asks for an explanation, and the click that ends it means nothing else. */
export class Press {
    #timer: ReturnType<typeof setTimeout> | undefined;
    #spent = false;
    readonly #long: () => void;

    constructor(long: () => void) {
        this.#long = long;
    }

    down(event: PointerEvent): void {
        this.#spent = false;
        clearTimeout(this.#timer);
        if (!event.isPrimary || event.button !== 0) return;
        this.#timer = setTimeout(() => {
            this.#spent = true;
            this.#long();
        }, LONG_PRESS);
    }

    end(): void {
        clearTimeout(this.#timer);
    }

    /** Whether the click that follows belongs to a long press; asking takes note of it. */
    takeSpent(): boolean {
        const spent = this.#spent;
        this.#spent = false;
        return spent;
    }
}
