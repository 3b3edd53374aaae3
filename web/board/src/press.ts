/** How long a finger or pen must rest on something to request an explanation, in milliseconds. */
export const LONG_PRESS = 450;

/** Whether a pointer can long-press. A mouse cannot: it requests explanations by hovering. */
export function canPressLong(event: PointerEvent): boolean {
    return event.isPrimary && event.button === 0 && event.pointerType !== "mouse";
}

/**
 * Whether a click is the second one of a double click. The first one has already picked something, and the table may
 * have changed since then.
 */
export function isRepeated(event: MouseEvent): boolean {
    return event.detail > 1;
}

/** A long press on a button. It requests an explanation, and the click at its end is ignored. */
export class LongPress {
    #timer: ReturnType<typeof setTimeout> | undefined;
    #used = false;
    readonly #onlong: () => void;

    constructor(onlong: () => void) {
        this.#onlong = onlong;
    }

    down(event: PointerEvent): void {
        this.#used = false;
        clearTimeout(this.#timer);
        if (!canPressLong(event)) return;
        this.#timer = setTimeout(() => {
            this.#used = true;
            this.#onlong();
        }, LONG_PRESS);
    }

    end(): void {
        clearTimeout(this.#timer);
    }

    /** Return whether the next click belongs to a long press, and clear that flag. */
    takeUsed(): boolean {
        const used = this.#used;
        this.#used = false;
        return used;
    }
}
