/** Shows the steps of a game on the board. The board's stage animates the effects of each step. */
import type { Effect } from "@cairn/board/effects";
import { parsePosition } from "@cairn/board/position";
import type { Scene } from "@cairn/board/scene";
import { Stage } from "@cairn/board/svelte";

import type { Step } from "../../lib/client";

/** If more steps than this are waiting, skip to the end, because showing them one by one would take too long. */
const LONGEST_SHOW = 30;

export interface PlaybackOptions {
    steps: () => readonly Step[];
    /** How long an effect is shown, in milliseconds. Called before each effect, so that changes apply at once. */
    pace: () => number;
    /** Called when the playback of a step starts. */
    onStep: (step: Step) => void;
}

export class Playback {
    readonly #options: PlaybackOptions;
    #stage = $state.raw<Stage | null>(null);
    /** How many steps have been fully shown. */
    #shown = $state(0);
    /** The step being shown. */
    #current = $state.raw<Step | null>(null);

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

    /** Show a position immediately; pieces glide from their previous places. */
    show(position: string): void {
        this.#current = null;
        const table = parsePosition(position);
        if (this.#stage) this.#stage.show(table);
        else this.#stage = new Stage(table);
    }

    /** Treat the first `count` steps as shown. */
    jumpTo(count: number): void {
        this.#current = null;
        this.#shown = count;
    }

    /** Handle an undo that keeps the first `kept` steps. Returns whether it takes back anything shown. */
    takeBack(kept: number): boolean {
        if (this.stepIndex <= kept) return false;
        this.jumpTo(Math.min(this.#shown, kept));
        return true;
    }

    /** Show the remaining steps, one after another. */
    async advance(): Promise<void> {
        const stage = this.#stage;
        if (!stage || this.#current) return;
        for (;;) {
            const steps = this.#options.steps();
            const step = steps[this.#shown];
            if (!step) return;
            if (this.#options.pace() === 0 || steps.length - this.#shown > LONGEST_SHOW) return this.finish();
            this.#current = step;
            this.#options.onStep(step);
            const played = await stage.play(step.effects, this.#options.pace);
            if (!played || this.#current !== step) return;
            this.#shown += 1;
            this.show(step.position); // the authority's position overrides the result of the effects
        }
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
