/** Reveals this player's links in a game with sealed draws, as soon as the start or a draw needs them. */
import { ApiProblem, type GameView, type TribeName } from "../../lib/client";
import { backOff } from "../../lib/connection.svelte";
import { reportProblem } from "../../lib/problems";
import { due } from "../../lib/sealed/due";
import type { TableChannel } from "../../lib/source";

/** Refusals that mean that the link is no longer needed, for instance because another tab has revealed it. */
const DONE: readonly string[] = ["no-link-due", "game-over"];
/** Refusals that a retry cannot change. */
const FINAL: readonly string[] = ["wrong-link", "not-your-seat", "malformed"];

export class SealedDraws {
    readonly #channel: Pick<TableChannel, "reveal">;
    #game: GameView | null = null;
    #tribe: TribeName | null = null;
    /** The last link that was sent. */
    #sent: string | null = null;
    #failures = 0;
    #timer: ReturnType<typeof setTimeout> | undefined;

    /**
     * Why this browser reveals no links: it does not have the secret, the server shows a different game, or the browser
     * cannot store what it reveals.
     */
    problem = $state<"missing" | "deceived" | "unstored" | null>(null);

    constructor(channel: Pick<TableChannel, "reveal">) {
        this.#channel = channel;
    }

    /** Reveal the link that the game is waiting for, if any. Call this after every change. */
    follow(game: GameView, tribe: TribeName): void {
        this.#game = game;
        this.#tribe = tribe;
        const now = due(game, tribe);
        this.problem = now.state === "none" || now.state === "link" ? null : now.state;
        if (now.state === "link" && now.link !== this.#sent) void this.#reveal(now.link);
        if (now.state === "unstored") this.#retryLater(); // the player may free some space
    }

    stop(): void {
        clearTimeout(this.#timer);
        this.#game = null;
    }

    async #reveal(link: string): Promise<void> {
        clearTimeout(this.#timer);
        this.#sent = link;
        try {
            // A lost connection only delays this: the link is resent over the next connection.
            await this.#channel.reveal(link);
            this.#failures = 0;
        } catch (problem) {
            const kind = problem instanceof ApiProblem ? problem.kind : "";
            if (DONE.includes(kind)) return;
            if (!(problem instanceof ApiProblem) || FINAL.includes(kind)) return reportProblem(problem);
            this.#retryLater();
        }
    }

    #retryLater(): void {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#retry(), backOff(this.#failures++));
    }

    #retry(): void {
        this.#sent = null;
        if (this.#game && this.#tribe) this.follow(this.#game, this.#tribe);
    }
}
