/**
 * A copy of the authority's game. A whole game replaces the copy; an update continues it. If an update does not
 * continue the copy, the whole game is fetched. Updates that arrive during the fetch are queued and applied
 * afterwards, so that none is missed.
 */
import { ApiProblem, updated, type GameView, type Update } from "../client";
import { backOff } from "../connection.svelte";

/** How long a server process may lag behind another one, in milliseconds. A restored backup lags for longer. */
const LAGGING = 1_000;
/** How long to wait for a command's update after the command has been confirmed, in milliseconds. */
export const PATIENCE = 1_500;

export interface ReplicaOptions {
    fetch: () => Promise<GameView>;
    /** The game changed. */
    changed: (game: GameView) => void;
    /** The authority's time in milliseconds. */
    now: () => number;
}

export class Replica {
    readonly #options: ReplicaOptions;
    #game: GameView | null = null;
    /** Updates that are queued until the whole game has been fetched. */
    #waiting: Update[] = [];
    #refreshing: Promise<void> | null = null;
    #resyncing = false;
    /** How many whole games have arrived over connections. */
    #replaced = 0;
    #stopped = false;
    readonly #arrivals = new Set<() => void>();

    constructor(options: ReplicaOptions) {
        this.#options = options;
    }

    get game(): GameView | null {
        return this.#game;
    }

    stop(): void {
        this.#stopped = true;
        this.#announce();
    }

    /**
     * A new connection has sent the whole game. Its updates will continue this game, so the game is accepted even if
     * its revision is lower than ours, which means that a backup was restored.
     */
    replace(game: GameView): void {
        this.#replaced += 1;
        this.#waiting = [];
        this.#set(game);
    }

    /** Apply an update. The same update may arrive twice. */
    update(update: Update): void {
        const game = this.#game;
        if (!game || update.game !== game.id) return;
        const next = this.#isBehind ? null : updated(game, update, this.#options.now());
        if (next) {
            this.#set(next);
        } else if (this.#isBehind || update.revision > game.revision) {
            this.#waiting.push(update);
            void this.#resync();
        }
    }

    /** Fetch the whole game. Rejects if it cannot be fetched. */
    refresh(): Promise<void> {
        this.#refreshing ??= this.#refresh().finally(() => {
            this.#refreshing = null;
            this.#applyWaiting();
            if (this.#waiting.length > 0) void this.#resync();
        });
        return this.#refreshing;
    }

    /** Wait until the copy reaches a revision or a new connection is opened; fetch the game if neither happens. */
    async reached(revision: number): Promise<void> {
        const replaced = this.#replaced;
        const isThere = (): boolean =>
            this.#stopped || replaced !== this.#replaced || (this.#game !== null && this.#game.revision >= revision);
        while (!isThere()) {
            await this.#arrival(isThere);
            // Ignore a failure, because the next connection will send the whole game.
            if (!isThere()) await this.refresh().catch(() => undefined);
        }
    }

    /** Wait for a change that makes the condition true, for at most `PATIENCE` milliseconds. */
    #arrival(isThere: () => boolean): Promise<void> {
        return new Promise((resolve) => {
            const done = (): void => {
                clearTimeout(timer);
                this.#arrivals.delete(look);
                resolve();
            };
            const look = (): void => {
                if (isThere()) done();
            };
            const timer = setTimeout(done, PATIENCE);
            this.#arrivals.add(look);
        });
    }

    get #isBehind(): boolean {
        return this.#refreshing !== null || this.#waiting.length > 0;
    }

    /** Fetch the whole game, with back-off, until no update is waiting. */
    async #resync(): Promise<void> {
        if (this.#resyncing) return;
        this.#resyncing = true;
        for (let attempt = 0; this.#waiting.length > 0 && !this.#stopped; attempt++) {
            if (attempt > 0) await wait(backOff(attempt - 1));
            try {
                await this.refresh();
            } catch (problem) {
                // A game that no longer exists will not come back. After any other failure, try again.
                if (problem instanceof ApiProblem && problem.isFinal) this.#waiting = [];
            }
        }
        this.#resyncing = false;
    }

    async #refresh(): Promise<void> {
        const replaced = this.#replaced;
        // A connection that opened during the fetch has delivered a newer game, and a stopped replica needs none.
        const isObsolete = (): boolean => this.#stopped || replaced !== this.#replaced;
        let fetched = await this.#options.fetch();
        if (!isObsolete() && this.#game && fetched.revision < this.#game.revision) {
            await wait(LAGGING);
            fetched = await this.#options.fetch();
        }
        if (!isObsolete()) this.#set(fetched);
    }

    /** Apply the queued updates that continue the copy. Updates after a gap stay in the queue. */
    #applyWaiting(): void {
        while (this.#game) {
            const game: GameView = this.#game;
            this.#waiting = this.#waiting.filter(({ revision }) => revision > game.revision);
            const next = this.#waiting.find(({ base }) => base === game.revision);
            const continued = next && updated(game, next, this.#options.now());
            if (!continued) return;
            this.#set(continued);
        }
    }

    #set(game: GameView): void {
        if (this.#stopped) return;
        this.#game = game;
        this.#options.changed(game);
        this.#announce();
    }

    #announce(): void {
        for (const look of [...this.#arrivals]) look();
    }
}

function wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
