/** A visit to the player's own mistakes: which one is on the board, and reviews of games that have none yet. */
import type { GameSummary } from "../../lib/client";
import { problemOf } from "../../lib/device/core";
import { recordOf } from "../../lib/games";
import { keepMistakes, lessons, type Lesson } from "../../lib/mistakes";
import { reportProblem } from "../../lib/problems";
import { startReview, type GameReview } from "../../lib/reviewCore";
import { noteAttempt } from "../../lib/reviewStore";
import { ReviewSession } from "../review/reviewSession.svelte";

/** How many games to review with one press. Each takes up to 15 seconds on two cores. */
const GAMES_PER_SEARCH = 5;

/** The search for mistakes in games that have not been reviewed yet. */
export interface Search {
    game: number;
    of: number;
    /** The finished share of this game's review, from 0 to 1. */
    share: number;
}

export class MistakesSession {
    state = $state<"loading" | "ready">("loading");
    problem = $state.raw<unknown>(null);
    /** The mistakes of this visit, in order. One that is learnt stays until the page is left. */
    lessons = $state.raw<readonly Lesson[]>([]);
    learnt = $state(0);
    unreviewed = $state.raw<readonly GameSummary[]>([]);
    search = $state.raw<Search | null>(null);
    at = $state(0);
    review = $state.raw<ReviewSession | null>(null);
    /** Whether the current mistake has been tried, or its better line shown. */
    #tried = false;
    #searching: GameReview | null = null;
    /** Counts the searches and cancellations, so that a search that was cancelled while a game was loading ends. */
    #request = 0;
    #closed = false;

    readonly current: Lesson | null = $derived(this.lessons[this.at] ?? null);
    /** How many games the next search reviews. */
    readonly searchable: number = $derived(Math.min(GAMES_PER_SEARCH, this.unreviewed.length));

    /** Read the mistakes from this device, and show the first one. */
    async load(): Promise<void> {
        this.problem = null;
        try {
            const { open, learnt, unreviewed } = await lessons();
            if (this.#closed) return;
            this.lessons = open;
            this.learnt = learnt;
            this.unreviewed = unreviewed;
            this.state = "ready";
            await this.show(0);
        } catch (problem) {
            this.problem = problemOf(problem);
        }
    }

    /** Put a mistake on the board. */
    async show(at: number): Promise<void> {
        const before = this.current;
        const review = this.review;
        this.at = at;
        this.#tried = false;
        const { current } = this;
        if (!current) return this.#leave();
        const { record, findings, id } = current.review;
        const isSame = review?.state === "done" && before?.review.id === id;
        const next = isSame
            ? review
            : new ReviewSession({
                  load: () => Promise.resolve({ record, findings }),
                  onSearched: (...found) => void keepMistakes(id, ...found).catch(reportProblem),
                  onTried: (index, good) => void this.#note(id, index, good).catch(reportProblem),
              });
        if (!isSame) {
            this.#leave();
            this.review = next;
            await next.start();
        }
        if (this.review === next) await next.retry(current.mistake.index);
    }

    /** Review the latest games that have not been reviewed, and add their mistakes. */
    async find(): Promise<void> {
        const request = ++this.#request;
        const games = this.unreviewed.slice(0, this.searchable);
        try {
            for (const [index, { id }] of games.entries()) {
                if (request !== this.#request) break;
                await this.#review(id, { game: index + 1, of: games.length }, request);
            }
        } catch (problem) {
            // After a cancellation, the workers are gone, and their failure is expected.
            if (request === this.#request) reportProblem(problemOf(problem));
        }
        if (request === this.#request) this.cancel();
        if (!this.#closed && !this.search) await this.load();
    }

    /** Review a game and keep its mistakes, unless the search is cancelled. */
    async #review(id: string, place: Omit<Search, "share">, request: number): Promise<void> {
        this.search = { ...place, share: 0 };
        const record = await recordOf(id);
        const core = await startReview(record);
        if (request !== this.#request) return core.close();
        this.#searching = core;
        const opened = await core.open();
        const findings = await core.run(opened, (share) => (this.search = { ...place, share }));
        await keepMistakes(id, record, findings, await core.restore(findings));
        core.close();
    }

    /** Stop the search. The reviews that are complete stay. */
    cancel(): void {
        this.#request += 1;
        this.search = null;
        this.#searching?.close();
        this.#searching = null;
    }

    close(): void {
        this.#closed = true;
        this.cancel();
        this.#leave();
    }

    #leave(): void {
        this.review?.close();
        this.review?.stage.skip();
        this.review = null;
    }

    /**
     * Only the first attempt counts. A mistake that was not answered well comes again at the next visit. A mistake is
     * shown as learnt only after it is stored.
     */
    async #note(id: string, index: number, good: boolean): Promise<void> {
        if (this.#tried) return;
        this.#tried = true;
        await noteAttempt(id, index, good);
        if (good) this.learnt += 1;
    }
}
