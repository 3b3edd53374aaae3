/** Tracks what the player wants explained, by hovering, keyboard focus or a long press. */
import { LONG_PRESS } from "@cairn/board/press";

/** The deck's card is long. It stays open when the mouse leaves the deck, so that the player can scroll it. */
const STAYS = "deck";

export class Inspector {
    /** The subject being explained. */
    subject = $state<string | null>(null);
    /** Whether the explanation stays until it is closed, because a long press or a tap opened it. */
    pinned = $state(false);
    /** Whether the last input came from a pointer rather than the keyboard. */
    byPointer = $state(false);
    #touched = -Infinity;
    #quiet = false;

    constructor(private readonly clock: () => number = () => performance.now()) {}

    /** Handle a pointer press anywhere on the page. */
    down(event: PointerEvent): void {
        this.byPointer = true;
        this.#touched = event.pointerType === "mouse" ? -Infinity : this.clock();
        const inside = event.target instanceof Element && event.target.closest(".about");
        if (!inside && (this.pinned || this.subject === STAYS)) this.close();
    }

    /** Handle a key that moves the focus. */
    key(): void {
        this.byPointer = false;
        this.#touched = -Infinity;
        if (!this.pinned && this.subject === STAYS) this.subject = null;
    }

    /** Handle hover or focus on a subject; `null` when it ends. */
    inspect(subject: string | null): void {
        const since = this.clock() - this.#touched;
        if (subject === null) {
            if (!this.pinned && this.subject !== STAYS) this.subject = null;
            return;
        }
        if (this.#quiet) return;
        // A tap also moves the focus, but only a long press requests an explanation.
        if (this.byPointer && since < LONG_PRESS - 50) return;
        this.subject = subject;
        this.pinned = Number.isFinite(since) && this.byPointer;
    }

    /** Do something that moves the focus, without explaining what it lands on. */
    quietly(action: () => void): void {
        this.#quiet = true;
        action();
        this.#quiet = false;
    }

    /** Explain a subject until the explanation is closed. */
    pin(subject: string): void {
        this.subject = subject;
        this.pinned = true;
    }

    close(): void {
        this.subject = null;
        this.pinned = false;
    }
}
