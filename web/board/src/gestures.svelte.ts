/** Pointer gestures on the board: drag and long press. What a tap means is not decided here. */
import type { Point } from "./layout";
import { LONG_PRESS } from "./press";

/** How far a pointer moves before it drags, in pixels. */
const SLACK = 7;

export interface Hand {
    /** What lies under a point of the page. */
    readonly pickAt: (event: PointerEvent) => string | null;
    readonly pointAt: (event: PointerEvent) => Point;
    /** Whether a drag may begin here. */
    readonly mayTake: (pick: string) => boolean;
    /** A drag begins. */
    readonly take: (pick: string) => void;
    readonly drop: (pick: string, target: string | null) => void;
    readonly press: (pick: string) => void;
}

/** One pointer on the board. */
export class Gestures {
    /** What is being dragged, and where the pointer is. */
    drag: { readonly pick: string; readonly at: Point; readonly over: string | null } | null = $state.raw(null);

    #start: { pointer: number; x: number; y: number; pick: string } | null = null;
    #timer: ReturnType<typeof setTimeout> | undefined;
    #spent = false;

    readonly #hand: Hand;

    constructor(hand: Hand) {
        this.#hand = hand;
    }

    /** Whether the click that follows belongs to a drag or a long press; asking takes note of it. */
    takeSpent(): boolean {
        const spent = this.#spent;
        this.#spent = false;
        return spent;
    }

    down(event: PointerEvent): void {
        if (!event.isPrimary || event.button !== 0) return;
        this.#spent = false;
        const pick = this.#hand.pickAt(event);
        if (pick === null) return;
        this.#start = { pointer: event.pointerId, x: event.clientX, y: event.clientY, pick };
        this.#timer = setTimeout(() => {
            if (!this.#start || this.drag) return;
            this.#spent = true;
            this.#start = null;
            this.#hand.press(pick);
        }, LONG_PRESS);
    }

    move(event: PointerEvent): void {
        const start = this.#start;
        if (!start || event.pointerId !== start.pointer) return;
        if (!this.drag) {
            if (Math.hypot(event.clientX - start.x, event.clientY - start.y) < SLACK) return;
            clearTimeout(this.#timer);
            if (!this.#hand.mayTake(start.pick)) {
                this.#start = null;
                return;
            }
            this.#hand.take(start.pick);
            const surface = event.currentTarget;
            if (surface instanceof Element) surface.setPointerCapture?.(event.pointerId);
        }
        this.drag = { pick: start.pick, at: this.#hand.pointAt(event), over: this.#hand.pickAt(event) };
    }

    /** A finger that may drag does not scroll the page; elsewhere it does. */
    touch(event: TouchEvent): void {
        const start = this.#start;
        if (start && event.cancelable && (this.drag || this.#hand.mayTake(start.pick))) event.preventDefault();
    }

    up(event: PointerEvent): void {
        clearTimeout(this.#timer);
        const start = this.#start;
        this.#start = null;
        if (!this.drag || !start) return;
        this.#spent = true;
        // The click that belongs to this pointer comes before the next task, if it comes at all.
        setTimeout(() => (this.#spent = false));
        this.#hand.drop(start.pick, this.#hand.pickAt(event));
        this.drag = null;
    }

    /** The pointer was taken away by the system. */
    lose(): void {
        clearTimeout(this.#timer);
        const start = this.#start;
        this.#start = null;
        if (!this.drag || !start) return;
        this.drag = null;
        this.#hand.drop(start.pick, null);
    }
}
