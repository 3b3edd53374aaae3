/** A game at this screen: kept in step with its source, shown, looked back at, and played by picks. */
import type { GameView, Step } from "../../lib/client";
import type { GameSource } from "../../lib/source";
import type { SafeStorage } from "../../lib/storage";
import { Playback } from "./playback.svelte";
import { Review } from "./review.svelte";
import { Selection } from "./selection.svelte";
import { asksAnew, GameSync, type GameChange } from "./sync.svelte";

export interface GameOptions {
    source: GameSource;
    /** Milliseconds an effect is shown; asked before each effect. */
    pace: () => number;
    /** Whether a finished turn waits to be confirmed. */
    hold: () => boolean;
    /** Keeps a token that is on its way across a reload. */
    memory: SafeStorage;
    /** A step begins to be shown. */
    onStep: (step: Step) => void;
    /** Something failed that the player should know. */
    onProblem: (problem: unknown) => void;
}

/** What a tap did. `skipped`: it only ended what was being shown. */
export type Tapped = "picked" | "sent" | "cancelled" | "refused" | "skipped";

export class PlayedGame {
    readonly sync: GameSync;
    readonly playback: Playback;
    readonly review = new Review();
    readonly selection: Selection;

    /** How many steps lie behind what the board shows, the one being shown included. */
    readonly stepIndex: number = $derived.by(() => this.review.cursor ?? this.playback.stepIndex);
    /** Whether the board shows the game as it stands. */
    readonly isLive: boolean = $derived.by(() => this.playback.caughtUp && !this.review.active);
    /** Whether the board shows the game as it stands, and nothing is on its way. */
    readonly ready: boolean = $derived.by(() => this.isLive && this.sync.idle);
    /** Whether somebody at this screen may pick something now. */
    readonly open: boolean = $derived.by(
        () => this.sync.asked && this.ready && (this.sync.moment?.choices.length ?? 0) > 0,
    );
    /** Whether somebody at this screen may confirm what is held. */
    readonly canConfirm: boolean = $derived.by(() => this.sync.asked && this.ready && Boolean(this.sync.moment?.held));
    /** The step that led to what is shown. */
    readonly step: Step | undefined = $derived.by(() => this.sync.steps[this.stepIndex - 1]);

    constructor({ source, pace, hold, memory, onStep, onProblem }: GameOptions) {
        this.sync = new GameSync({ source, hold, memory, onChange: (change) => this.#change(change), onProblem });
        this.playback = new Playback({ steps: () => this.sync.steps, pace, onStep });
        this.selection = new Selection(() => (this.sync.asked ? this.sync.moment : null));
    }

    get game(): GameView | null {
        return this.sync.game;
    }

    /** Follow the game until {@link stop}. `step`: begin by looking at this moment. */
    start(step: number | null = null): void {
        this.review.startAt(step);
        this.sync.start();
    }

    stop(): void {
        this.sync.stop();
    }

    /** Show the end of what is being shown. */
    skip(): void {
        if (!this.playback.caughtUp) this.playback.finish();
    }

    /** Look at the moment after `count` steps. */
    goTo(count: number): void {
        this.skip();
        this.selection.reset();
        this.review.goTo(count, this.sync.steps.length, Boolean(this.sync.moment?.outcome));
        this.#show();
    }

    /** Back to the game as it stands. */
    goLive(): void {
        this.review.end();
        this.playback.jumpTo(this.sync.steps.length);
        this.#show();
    }

    /** Pick something: a space, a tile, a slot, a village or a button. */
    tap(pick: string): Tapped {
        const { sync, selection } = this;
        if (this.review.active || !sync.moment || !sync.idle) return "refused";
        const running = !this.playback.caughtUp;
        const result = selection.try(pick);
        if (running) {
            // Nobody answers what they have not seen: such a tap shows the end and plays nothing.
            this.skip();
            if (result.kind === "refused" || result.kind === "token") return "skipped";
        }
        if (result.kind === "refused") return "refused";
        if (result.kind === "token") {
            void this.#play(result.token);
            return "sent";
        }
        selection.picks = result.picks;
        return result.kind === "cancelled" ? "cancelled" : "picked";
    }

    async undo(scope: "step" | "turn"): Promise<void> {
        if (this.ready) await this.sync.undo(scope);
    }

    async confirm(): Promise<void> {
        if (this.canConfirm) await this.sync.confirm();
    }

    async #play(token: string): Promise<void> {
        this.selection.picks = [];
        const before = this.game;
        await this.sync.play(token);
        // After a refusal the same decision is asked again.
        if (this.game && before && !asksAnew(before, this.game) && !this.sync.pending) this.selection.reset();
    }

    #change({ before, game, kept }: GameChange): void {
        const { playback, review } = this;
        const { length } = game.steps;
        if (!before || asksAnew(before, game)) this.selection.reset();
        review.limit(length);
        if (!before) {
            playback.jumpTo(length);
            this.#show();
            return;
        }
        const takenBack = playback.takeBack(kept);
        if (review.active) playback.jumpTo(length);
        if (takenBack || review.active) this.#show();
        if (!review.active) void playback.advance();
    }

    /** Show the moment that is looked at. */
    #show(): void {
        const position = this.sync.positionAt(this.stepIndex);
        if (position) this.playback.show(position);
    }
}
