import type { Effect } from "./effects";
import { durationOf, wait, WAY_OUT, type Pace } from "./playback";
import type { Table } from "./position";
import { apply, depart, sceneOf, type Scene } from "./scene";

/**
 * Plays effects one at a time. Pass `stage.scene` to the board as its table and `stage.effect` as its effect.
 *
 * A later call to `play` or `show` cancels whatever is still being played.
 */
export class Stage {
    /** The table being shown. */
    scene: Scene = $state.raw() as Scene;
    /** The effect being shown; `null` when nothing is playing. */
    effect: Effect | null = $state.raw(null);
    /** The index of that effect in the list passed to `play`. */
    effectIndex = $state(0);

    #run: { readonly wake: AbortController; cancelled: boolean } | null = null;

    constructor(table: Table) {
        this.scene = sceneOf(table);
    }

    /** Show a table immediately and cancel playback. Pieces glide from where they stood. */
    show(table: Table): void {
        this.#cancel();
        this.scene = sceneOf(table, this.scene);
    }

    /**
     * Play effects one after another. Resolves to `true` at the end, or to `false` as soon as a later call replaces
     * this one. Afterwards, call `show` with the table that the server sent.
     */
    async play(effects: readonly Effect[], pace: Pace): Promise<boolean> {
        this.#cancel();
        const run = { wake: new AbortController(), cancelled: false };
        this.#run = run;
        for (const [index, effect] of effects.entries()) {
            const time = durationOf(effect, pace);
            const out = effect.kind === "left" && time > 0;
            this.scene = out ? depart(this.scene, effect) : apply(this.scene, effect);
            this.effect = effect;
            this.effectIndex = index;
            if (out) {
                await wait(time * WAY_OUT, run.wake.signal);
                if (run.cancelled) return false;
                this.scene = apply(this.scene, effect);
            }
            if (time > 0) await wait(out ? time * (1 - WAY_OUT) : time, run.wake.signal);
            if (run.cancelled) return false;
        }
        this.#run = null;
        this.#clear();
        return true;
    }

    /** Show the remaining effects without waiting. */
    skip(): void {
        this.#run?.wake.abort();
    }

    #cancel(): void {
        const run = this.#run;
        this.#run = null;
        if (run) {
            run.cancelled = true;
            run.wake.abort();
        }
        this.#clear();
    }

    #clear(): void {
        this.effect = null;
        this.effectIndex = 0;
    }
}
