/** Pointer gestures on the board: drags and long presses. Cells.svelte handles clicks. */
import { pickAt, toBoard, type Point } from "./layout";
import type { Tribe } from "./position";
import { canPressLong, LONG_PRESS } from "./press";

/** How far a pointer must move before a drag starts, in pixels. */
const DRAG_DISTANCE = 7;

/** The board's callbacks for gestures. */
export interface GestureHandlers {
    readonly orientation: () => Tribe;
    /** Whether a drag may start at this pick. */
    readonly canDrag: (pick: string) => boolean;
    readonly onDragStart: (pick: string) => void;
    readonly onDrop: (pick: string, target: string | null) => void;
    readonly onLongPress: (pick: string) => void;
}

interface Start {
    readonly pointer: number;
    readonly x: number;
    readonly y: number;
    readonly pick: string;
}

/** Handles the gestures of one pointer on the board. */
export class PointerGestures {
    /** The piece being dragged, the position of the pointer, and the pick under it. */
    drag: { readonly pick: string; readonly at: Point; readonly over: string | null } | null = $state.raw(null);

    #start: Start | null = null;
    #timer: ReturnType<typeof setTimeout> | undefined;
    /** Whether the next click belongs to a drag or a long press. */
    #used = false;
    /** Where the board is on the page; measured once per gesture. */
    #box: DOMRect | null = null;

    readonly #handlers: GestureHandlers;

    constructor(handlers: GestureHandlers) {
        this.#handlers = handlers;
    }

    /** Return whether the next click belongs to a drag or a long press, and clear that flag. */
    takeUsed(): boolean {
        const used = this.#used;
        this.#used = false;
        return used;
    }

    /** Forget the measured position, because the board may have moved on the page. */
    forgetBox(): void {
        this.#box = null;
    }

    down(event: PointerEvent): void {
        if (!event.isPrimary || event.button !== 0) return;
        this.#used = false;
        this.#box = null;
        const pick = this.#pickAt(event);
        if (pick === null) return;
        this.#start = { pointer: event.pointerId, x: event.clientX, y: event.clientY, pick };
        clearTimeout(this.#timer);
        if (!canPressLong(event)) return;
        this.#timer = setTimeout(() => {
            this.#used = true;
            this.#handlers.onLongPress(pick);
        }, LONG_PRESS);
    }

    move(event: PointerEvent): void {
        const start = this.#start;
        if (!start || event.pointerId !== start.pointer) return;
        if (!this.drag) {
            if (Math.hypot(event.clientX - start.x, event.clientY - start.y) < DRAG_DISTANCE) return;
            clearTimeout(this.#timer);
            if (!this.#handlers.canDrag(start.pick)) {
                this.#start = null;
                return;
            }
            this.#handlers.onDragStart(start.pick);
            const surface = event.currentTarget;
            if (surface instanceof Element) surface.setPointerCapture?.(event.pointerId);
        }
        this.drag = { pick: start.pick, at: this.#pointAt(event), over: this.#pickAt(event) };
    }

    /** Prevent scrolling where a finger can drag a piece; elsewhere the page scrolls as usual. */
    touchMove(event: TouchEvent): void {
        const start = this.#start;
        if (start && event.cancelable && (this.drag || this.#handlers.canDrag(start.pick))) event.preventDefault();
    }

    up(event: PointerEvent): void {
        clearTimeout(this.#timer);
        const start = this.#start;
        this.#start = null;
        if (!this.drag || !start) return;
        this.#used = true;
        // If this pointer also causes a click event, that event comes before the timeout.
        setTimeout(() => (this.#used = false));
        this.#handlers.onDrop(start.pick, this.#pickAt(event));
        this.drag = null;
    }

    /** Handle a `pointercancel` event: end the drag without a target. */
    cancel(): void {
        clearTimeout(this.#timer);
        const start = this.#start;
        this.#start = null;
        if (!this.drag || !start) return;
        this.drag = null;
        this.#handlers.onDrop(start.pick, null);
    }

    #pointAt(event: PointerEvent): Point {
        const surface = event.currentTarget as Element;
        this.#box ??= surface.getBoundingClientRect();
        return toBoard(event.clientX, event.clientY, this.#box);
    }

    #pickAt(event: PointerEvent): string | null {
        return pickAt(this.#pointAt(event), this.#handlers.orientation());
    }
}
