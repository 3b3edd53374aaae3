/** Which steps have been shown on the board. The board's stage shows the effects of each. */
import type { Effect } from "@cairn/board/effects";
import { parsePosition } from "@cairn/board/position";
import type { Scene } from "@cairn/board/scene";
import { Stage } from "@cairn/board/svelte";

import type { Step } from "../../lib/client";

/** After a pause, more steps than this are not shown one by one: nobody wants to wait for them. */
const LONGEST_SHOW = 30;

export interface PlaybackOptions {
    steps: () => readonly Step[];
    /** Milliseconds an effect is shown; asked before each effect, so that a new setting applies at once. */
    pace: () => number;
    /** A step begins to be shown. */
    onStep: (step: Step) => void;
}

export class Playback {
    readonly #options: PlaybackOptions;
    #stage = $state.raw<Stage | null>(null);
    /** How many steps have been shown to their end. */
    #shown = $state(0);
    /** The step that is being shown. */
    #current = $state.raw<Step | null>(null);

    readonly scene: Scene | null = $derived(this.#stage?.scene ?? null);
    readonly effect: Effect | null = $derived(this.#stage?.effect ?? null);
    /** The index of that effect in its step. */
    readonly effectIndex: number = $derived(this.#stage?.effectIndex ?? 0);
    /** How many steps have been shown, the current one included. */
    readonly stepIndex: number = $derived(this.#shown + (this.#current ? 1 : 0));
    /** Whether everything that happened has been shown. */
    readonly caughtUp: boolean = $derived.by(() => !this.#current && this.#shown === this.#options.steps().length);

    constructor(options: PlaybackOptions) {
        this.#options = options;
    }

    /** Show a position at once; pieces glide from where they were. */
    show(position: string): void {
        this.#current = null;
        const table = parsePosition(position);
        if (this.#stage) this.#stage.show(table);
        else this.#stage = new Stage(table);
    }

    /** Count the first `count` steps as shown. */
    jumpTo(count: number): void {
        this.#current = null;
        this.#shown = count;
    }

    /** Only the first `kept` steps are still there. Whether that takes back something shown. */
    takeBack(kept: number): boolean {
        if (this.stepIndex <= kept) return false;
        this.jumpTo(Math.min(this.#shown, kept));
        return true;
    }

    /** Show the steps that have not been shown, one after another. */
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
            this.show(step.position); // the authority's position, whatever the effects added up to
        }
    }

    /** Show the end of everything that happened. */
    finish(): void {
        const steps = this.#options.steps();
        const unseen = steps.slice(this.stepIndex);
        this.jumpTo(steps.length);
        for (const step of unseen) this.#options.onStep(step);
        const last = steps.at(-1);
        if (last) this.show(last.position);
    }
}
