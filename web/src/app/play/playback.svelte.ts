/** Shows the steps of a game on the board. The board's stage animates the effects of each step. */
import type { Effect } from "@cairn/board/effects";
import { wait } from "@cairn/board/playback";
import { parsePosition } from "@cairn/board/position";
import type { Scene } from "@cairn/board/scene";
import { Stage } from "@cairn/board/svelte";

import type { Step } from "../../lib/client";

/** If more steps than this are waiting, skip to the end, because showing them one by one would take too long. */
const LONGEST_SHOW = 30;

export interface PlaybackOptions {
    steps: () => readonly Step[];
    /** How long an effect is shown, in milliseconds. Called before each effect, so that changes apply immediately. */
    pace: () => number;
    /** The minimum pause between two turns, in milliseconds. */
    beat: () => number;
    /** Called when the playback of a step starts. */
    onStep: (step: Step) => void;
}

/** A part of a game to show again. */
export interface Rerun {
    /** The position before any of these effects. */
    position: string;
    /** The effects that come first; they are applied without being shown. */
    before: readonly Effect[];
    /** The effects to show, one group after another. */
    parts: readonly (readonly Effect[])[];
    /** Called with the index of a group when it starts. */
    onPart: (index: number) => void;
}

export class Playback {
    readonly #options: PlaybackOptions;
    #stage = $state.raw<Stage | null>(null);
    /** How many steps have been fully shown. */
    #shown = $state(0);
    /** The step being shown. */
    #current = $state.raw<Step | null>(null);
    /** Ends the wait for the next turn, or the rerun. */
    #pause: AbortController | null = null;
    #rerunning = $state(false);
    /** When the last step ended. */
    #ended = 0;

    readonly scene: Scene | null = $derived(this.#stage?.scene ?? null);
    readonly effect: Effect | null = $derived(this.#stage?.effect ?? null);
    /** The index of the current effect in its step. */
    readonly effectIndex: number = $derived(this.#stage?.effectIndex ?? 0);
    /** How many steps have been shown, including the current one. */
    readonly stepIndex: number = $derived(this.#shown + (this.#current ? 1 : 0));
    /** Whether all steps have been shown. */
    readonly caughtUp: boolean = $derived.by(() => !this.#current && this.#shown === this.#options.steps().length);

    constructor(options: PlaybackOptions) {
        this.#options = options;
    }

    /** Whether a part of the game is being shown again. */
    get rerunning(): boolean {
        return this.#rerunning;
    }

    /** Show a position immediately; pieces glide from their previous places. */
    show(position: string): void {
        this.#current = null;
        this.#stopWaiting();
        const table = parsePosition(position);
        if (this.#stage) this.#stage.show(table);
        else this.#stage = new Stage(table);
    }

    /** Treat the first `count` steps as shown. */
    jumpTo(count: number): void {
        this.#current = null;
        this.#stopWaiting();
        this.#shown = count;
    }

    /** Handle an undo that keeps the first `kept` steps. Returns whether it takes back anything that was shown. */
    takeBack(kept: number): boolean {
        if (this.stepIndex <= kept) return false;
        this.jumpTo(Math.min(this.#shown, kept));
        return true;
    }

    /** Show the remaining steps, one after another. */
    async advance(): Promise<void> {
        const stage = this.#stage;
        if (!stage || this.#current || (this.#pause && !this.#rerunning)) return;
        this.#stopWaiting();
        for (;;) {
            const steps = this.#options.steps();
            const step = steps[this.#shown];
            if (!step) return;
            if (this.#options.pace() === 0 || steps.length - this.#shown > LONGEST_SHOW) return this.finish();
            const beat = this.#beatBefore(step);
            if (beat > 0 && !(await this.#wait(beat))) return;
            if (this.#options.steps()[this.#shown] !== step) continue; // taken back or resent in the meantime
            this.#current = step;
            this.#options.onStep(step);
            const played = await stage.play(step.effects, this.#options.pace);
            if (!played || this.#current !== step) return;
            this.#shown += 1;
            this.#ended = performance.now();
            this.show(step.position); // the authority's position overrides the result of the effects
        }
    }

    /**
     * Show a part of the game again. Resolves to `true` at the end; the caller then shows the current position again.
     * Resolves to `false` if something else is shown first.
     */
    async rerun({ position, before, parts, onPart }: Rerun): Promise<boolean> {
        const stage = this.#stage;
        if (!stage || this.#current) return false;
        this.show(position);
        void stage.play(before, 0);
        const pause = new AbortController();
        this.#pause = pause;
        this.#rerunning = true;
        await wait(this.#options.pace(), pause.signal); // while the pieces glide back
        for (const [index, effects] of parts.entries()) {
            if (pause.signal.aborted) return false;
            onPart(index);
            if (!(await stage.play(effects, this.#options.pace)) || pause.signal.aborted) return false;
            await wait(this.#options.pace(), pause.signal);
        }
        if (pause.signal.aborted) return false;
        this.#stopWaiting();
        return true;
    }

    /** How long to wait before a step, so that the turns of two tribes do not blur together. */
    #beatBefore(step: Step): number {
        const previous = this.#options.steps()[this.#shown - 1];
        if (!previous || previous.active === step.active) return 0;
        return this.#options.beat() - (performance.now() - this.#ended);
    }

    /** Wait. Returns `false` if something else was shown in the meantime. */
    async #wait(milliseconds: number): Promise<boolean> {
        const pause = new AbortController();
        this.#pause = pause;
        await wait(milliseconds, pause.signal);
        if (pause.signal.aborted) return false;
        this.#pause = null;
        return true;
    }

    #stopWaiting(): void {
        this.#pause?.abort();
        this.#pause = null;
        this.#rerunning = false;
    }

    /** Skip to the position after the last step. */
    finish(): void {
        const steps = this.#options.steps();
        const unseen = steps.slice(this.stepIndex);
        this.jumpTo(steps.length);
        for (const step of unseen) this.#options.onStep(step);
        const last = steps.at(-1);
        if (last) this.show(last.position);
    }
}
