import type { Table } from "./position";
import { play } from "./playback";
import type { Effect } from "./effects";
import { sceneOf, type Scene } from "./scene";

/** What a board shows while effects are played: give `stage.scene` to the board as its table. */
export class Stage {
    /** What is shown now. */
    scene: Scene = $state.raw() as Scene;
    /** The effect that is being shown. */
    effect: Effect | null = $state.raw(null);

    /** Counts what was asked for; only the last of it may still change the scene. */
    #asked = 0;

    constructor(table: Table) {
        this.scene = sceneOf(table);
    }

    /** Show a table at once; pieces glide from where they stood. Effects that are still being played are dropped. */
    show(table: Table): void {
        this.#asked++;
        this.scene = sceneOf(table, this.scene);
        this.effect = null;
    }

    /**
     * Show effects one after another; afterwards call `show` with the table that the server sent. Aborting skips to
     * the end. A later `play` or `show` takes the place of this one, which then changes nothing any more.
     */
    async play(effects: readonly Effect[], pace: number, signal?: AbortSignal): Promise<void> {
        const asked = ++this.#asked;
        await play(this.scene, effects, {
            pace,
            signal,
            show: (scene, effect) => {
                if (asked !== this.#asked) return;
                this.scene = scene;
                this.effect = effect;
            },
        });
        if (asked === this.#asked) this.effect = null;
    }
}
