/** How long a finger or pen rests on something to ask for an explanation, in milliseconds. */
export const LONG_PRESS = 450;

/** Whether a pointer can make a long press. A mouse cannot: it explains by hovering, and a slow click is a click. */
export function canPressLong(event: PointerEvent): boolean {
    return event.isPrimary && event.button === 0 && event.pointerType !== "mouse";
}

/** A long press on a button: it asks for an explanation, and the click that ends it does nothing else. */
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

    /** Whether the click that follows belongs to a long press. Asking resets it. */
    takeUsed(): boolean {
        const used = this.#used;
        this.#used = false;
        return used;
    }
}
