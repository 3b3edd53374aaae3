/** The visitor's statistics, which are computed from the finished games on the server and on this device. */
import { connection } from "../../lib/connection.svelte";
import { finishedGames } from "../../lib/games";
import type { Level } from "../../lib/levels";
import { beatenLevels, statisticsOf, type Statistics } from "../../lib/statistics";

export class Finished {
    /** `null` until the games have been read. After a failure, the last result stays. */
    statistics = $state.raw<Statistics | null>(null);
    /** Why the games on the server are not counted; `null` if they are. */
    missing = $state.raw<unknown>(null);
    /** Why the games could not be read at all; `null` if they could. */
    problem = $state.raw<unknown>(null);
    readonly beaten: ReadonlySet<Level> = $derived(this.statistics ? beatenLevels(this.statistics) : new Set());
    #request = 0;

    /** Create this during component initialisation. The games are read again when the connection is lost or restored. */
    constructor() {
        $effect(() => {
            void connection.lost;
            void this.load();
        });
    }

    async load(): Promise<void> {
        const request = ++this.#request;
        try {
            const { games, missing } = await finishedGames();
            if (request !== this.#request) return;
            this.statistics = statisticsOf(games);
            this.missing = missing;
            this.problem = null;
        } catch (problem) {
            if (request === this.#request) this.problem = problem;
        }
    }

    readonly retry = (): void => {
        if (connection.lost) connection.retry();
        void this.load();
    };
}
