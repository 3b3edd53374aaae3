/**
 * Coordinates the tabs that show the same game. One tab writes and the others follow; when the writing tab is closed,
 * another takes over. The store refuses entries that do not continue the log, so games are safe even without locks.
 */

export interface TabHandlers {
    /** This tab writes from now on. */
    writing: () => void;
    /** Another tab writes. */
    following: () => void;
    /** Another tab has changed the game. */
    changed: () => void;
}

/** The name of a game's lock and channel. */
function nameOf(game: string): string {
    return `cairn ${game}`;
}

/** Notify all tabs that show a game that it has changed. */
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
    #stealing = false;

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

    /** Make this tab the one that writes, even if another tab holds the lock. */
    takeOver(): void {
        this.#stealing = true;
        this.#waiting?.abort();
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
            const held = await locks.request(this.#name, options, (lock) => this.#hold(lock)).catch(() => false);
            if (held || this.#isClosed) return;
            if (this.#stealing) {
                this.#stealing = false;
                options = { steal: true };
                continue;
            }
            this.#handlers.following();
            this.#waiting = new AbortController();
            options = { signal: this.#waiting.signal };
        }
    }

    /** Hold a lock until this tab closes. Returns false if there is no lock. */
    async #hold(lock: Lock | null): Promise<boolean> {
        if (!lock) return false;
        this.#waiting = null;
        this.#handlers.writing();
        await this.#closed;
        return true;
    }
}
