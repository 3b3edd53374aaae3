/** A game on this screen. Combines synchronisation with the source, playback, review and the selection of picks. */
import type { GameView, Step } from "../../lib/client";
import type { GameSource } from "../../lib/source";
import type { SafeStorage } from "../../lib/storage";
import { Playback, type Rerun } from "./playback.svelte";
import { Review } from "./review.svelte";
import { Selection } from "./selection.svelte";
import { asksAnew, GameSync, type GameChange } from "./sync.svelte";

export interface GameOptions {
    source: GameSource;
    /** How long an effect is shown, in milliseconds. Called before each effect. */
    pace: () => number;
    /** The minimum pause between two turns, in milliseconds. */
    beat: () => number;
    /** Whether a finished turn waits for confirmation. */
    hold: () => boolean;
    /** Stores a pending token across reloads. */
    memory: SafeStorage;
    /** Called when the playback of a step starts. */
    onStep: (step: Step) => void;
    /** Called after a failure that the player should be told about. */
    onProblem: (problem: unknown) => void;
}

/** The effect of a tap. `skipped` means that the tap only skipped to the end of the playback. */
export type Tapped = "picked" | "sent" | "cancelled" | "refused" | "skipped";

export class PlayedGame {
    readonly sync: GameSync;
    readonly playback: Playback;
    readonly review = new Review();
    readonly selection: Selection;

    /** The number of steps played up to the moment shown on the board, including the step being shown. */
    readonly stepIndex: number = $derived.by(() => this.review.cursor ?? this.playback.stepIndex);
    /** Whether the board shows the current state of the game. */
    readonly isLive: boolean = $derived.by(
        () => this.playback.caughtUp && !this.review.active && !this.playback.rerunning,
    );
    /** Whether the board shows the current state of the game and no command is pending. */
    readonly ready: boolean = $derived.by(() => this.isLive && this.sync.idle);
    /** Whether a player at this screen can pick something now. */
    readonly open: boolean = $derived.by(
        () => this.sync.asked && this.ready && (this.sync.moment?.choices.length ?? 0) > 0,
    );
    /** Whether a player at this screen can confirm a held turn or draw. */
    readonly canConfirm: boolean = $derived.by(() => this.sync.asked && this.ready && Boolean(this.sync.moment?.held));
    /** The step that led to the moment shown. */
    readonly step: Step | undefined = $derived.by(() => this.sync.steps[this.stepIndex - 1]);

    constructor({ source, pace, beat, hold, memory, onStep, onProblem }: GameOptions) {
        this.sync = new GameSync({ source, hold, memory, onChange: (change) => this.#change(change), onProblem });
        this.playback = new Playback({ steps: () => this.sync.steps, pace, beat, onStep });
        this.selection = new Selection(() => (this.sync.asked ? this.sync.moment : null));
    }

    get game(): GameView | null {
        return this.sync.game;
    }

    /** Follow the game until {@link stop}. If `step` is given, start by reviewing the moment after that many steps. */
    start(step: number | null = null): void {
        this.review.startAt(step);
        this.sync.start();
    }

    stop(): void {
        this.sync.stop();
    }

    /** Skip to the end of the playback. */
    skip(): void {
        if (!this.playback.caughtUp) this.playback.finish();
    }

    /** Show a part of the turn on the board again, then return to the moment shown before. */
    async rerun(rerun: Rerun): Promise<boolean> {
        this.skip();
        this.selection.reset();
        const done = await this.playback.rerun(rerun);
        if (done) this.#show();
        return done;
    }

    /** Stop showing a part of the turn again. Returns whether there was anything to stop. */
    stopRerun(): boolean {
        if (!this.playback.rerunning) return false;
        this.#show();
        return true;
    }

    /** Review the moment after `count` steps. */
    goTo(count: number): void {
        this.skip();
        this.selection.reset();
        this.review.goTo(count, this.sync.steps.length, Boolean(this.sync.moment?.outcome));
        this.#show();
    }

    /** Return to the current state of the game. */
    goLive(): void {
        this.review.end();
        this.playback.jumpTo(this.sync.steps.length);
        this.#show();
    }

    /** Pick something: a space, a tile, a slot, a village or a button. */
    tap(pick: string): Tapped {
        const { sync, selection } = this;
        if (this.stopRerun()) return "skipped";
        if (this.review.active || !sync.moment || !sync.idle) return "refused";
        const running = !this.playback.caughtUp;
        const result = selection.try(pick);
        if (running) {
            // Players must see a question before they answer it, so a tap during playback never plays a token.
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
        if (!this.sync.isFollowing) return;
        // After a refusal, the player has to make the same decision again.
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
        // With sealed draws, the starting position is drawn after the game has started.
        const dealt = before.start !== game.start && playback.stepIndex === 0;
        if (review.active) playback.jumpTo(length);
        if (takenBack || dealt || review.active || playback.rerunning) this.#show();
        if (!review.active) void playback.advance();
    }

    /** Show the position at the current step. */
    #show(): void {
        const position = this.sync.positionAt(this.stepIndex);
        if (position) this.playback.show(position);
    }
}
