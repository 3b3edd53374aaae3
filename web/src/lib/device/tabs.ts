/**
 * Coordinates the tabs that show the same game. One tab writes and the others follow; when the writing tab is closed,
 * another takes over. The store refuses entries that do not continue the log, so games are safe even without locks.
 */

export interface TabHandlers {
    /** This tab is now the writer. */
    writing: () => void;
    /** Another tab is writing. */
    following: () => void;
    /** Another tab has changed the game. */
    changed: () => void;
}

/** The abort reason if a tab stops waiting for the lock because the visitor wants to play in it. */
const TAKE_OVER = "take over";

/** The name of a game's lock and channel. */
function nameOf(game: string): string {
    return `cairn ${game}`;
}

/** Notify all tabs showing a game that it has changed. */
export function announceChange(game: string): void {
    const channel = new BroadcastChannel(nameOf(game));
    channel.postMessage("changed");
    channel.close();
}

export class Tabs {
    readonly #name: string;
    readonly #handlers: TabHandlers;
    readonly #channel: BroadcastChannel;
    readonly #closed: Promise<void>;
    #close: () => void = () => undefined;
    #isClosed = false;
    /** Cancels our pending request for the lock, which another tab holds. */
    #waiting: AbortController | null = null;

    constructor(game: string, handlers: TabHandlers) {
        this.#name = nameOf(game);
        this.#handlers = handlers;
        this.#channel = new BroadcastChannel(this.#name);
        this.#channel.onmessage = () => handlers.changed();
        this.#closed = new Promise((resolve) => (this.#close = resolve));
        void this.#compete();
    }

    /** Notify the other tabs that the game has changed. */
    announce(): void {
        this.#channel.postMessage("changed");
    }

    /** Make this tab the writer, even if another tab holds the lock. */
    takeOver(): void {
        this.#waiting?.abort(TAKE_OVER);
    }

    close(): void {
        this.#isClosed = true;
        this.#close();
        this.#waiting?.abort();
        this.#channel.close();
    }

    /** Wait for the lock, hold it, and wait again if another tab takes it. */
    async #compete(): Promise<void> {
        // Browsers offer locks only over HTTPS and on localhost.
        const locks: LockManager | undefined = navigator.locks;
        if (!locks) return this.#handlers.writing();
        let options: LockOptions = { ifAvailable: true };
        while (!this.#isClosed) {
            const end: unknown = await locks
                .request(this.#name, options, (lock) => this.#hold(lock))
                .catch((reason: unknown) => reason);
            if (end === true || this.#isClosed) return;
            if (end === TAKE_OVER) {
                options = { steal: true };
            } else if (end === false || isAbort(end)) {
                this.#handlers.following();
                this.#waiting = new AbortController();
                options = { signal: this.#waiting.signal };
            } else {
                // A browser that blocks the site's data also blocks locks. Further requests would fail forever.
                return this.#handlers.writing();
            }
        }
    }

    /** Hold a lock until this tab closes. Returns false if another tab holds the lock. */
    async #hold(lock: Lock | null): Promise<boolean> {
        if (!lock) return false;
        this.#waiting = null;
        this.#handlers.writing();
        await this.#closed;
        return true;
    }
}

/** Whether another tab has taken the lock. */
function isAbort(reason: unknown): boolean {
    return reason instanceof DOMException && reason.name === "AbortError";
}
