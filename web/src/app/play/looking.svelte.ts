/** What somebody asks about, by pointing, by the keyboard's focus, or by a long press. */
import { LONG_PRESS } from "@cairn/board/press";

export class Looking {
    /** The thing that is explained. */
    subject = $state<string | null>(null);
    /** It stays until it is put away: a finger has let go of it, or it was opened by a tap. */
    pinned = $state(false);
    /** Whether the pointer was used last, and not the keyboard. */
    byPointer = $state(false);
    #touched = -Infinity;

    constructor(private readonly clock: () => number = () => performance.now()) {}

    /** A pointer went down somewhere on the page. */
    down(event: PointerEvent): void {
        this.byPointer = true;
        this.#touched = event.pointerType === "mouse" ? -Infinity : this.clock();
        const inside = event.target instanceof Element && event.target.closest(".about");
        if (this.pinned && !inside) this.away();
    }

    /** A key went down that moves the focus. */
    key(): void {
        this.byPointer = false;
        this.#touched = -Infinity;
    }

    /** The board's word: this is looked at, or nothing any more. */
    at(subject: string | null): void {
        const since = this.clock() - this.#touched;
        if (subject === null) {
            if (!this.pinned) this.subject = null;
            return;
        }
        // The focus that a tap brings asks for nothing; a long press does.
        if (this.byPointer && since < LONG_PRESS - 50) return;
        this.subject = subject;
        this.pinned = Number.isFinite(since) && this.byPointer;
    }

    /** Explain this until it is put away. */
    pin(subject: string): void {
        this.subject = subject;
        this.pinned = true;
    }

    away(): void {
        this.subject = null;
        this.pinned = false;
    }
}
