import type { Table } from "../lib/position";
import { play } from "./playback";
import { sceneOf, type Effect, type Scene } from "./scene";

/** What a board shows while effects are played: give `stage.scene` to the board as its table. */
export class Stage {
    /** What is shown now. */
    scene: Scene = $state.raw() as Scene;
    /** The effect that is being shown. */
    effect: Effect | null = $state.raw(null);

    constructor(table: Table) {
        this.scene = sceneOf(table);
    }

    /** Whether effects are being played. */
    get playing(): boolean {
        return this.effect !== null;
    }

    /** Show a table at once; pieces glide from where they stood. */
    show(table: Table): void {
        this.scene = sceneOf(table, this.scene);
        this.effect = null;
    }

    /** Show effects one after another. Aborting skips to the end. Call `show` with the table that the server sent afterwards. */
    async play(effects: readonly Effect[], pace: number, signal?: AbortSignal): Promise<void> {
        await play(this.scene, effects, {
            pace,
            signal,
            show: (scene, effect) => {
                this.scene = scene;
                this.effect = effect;
            },
        });
        this.effect = null;
    }
}
