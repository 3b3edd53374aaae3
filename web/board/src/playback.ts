/** Effects one after another, so that a chain can be followed. */
import type { Effect } from "./effects";
import { apply, type Scene } from "./scene";

/** How long an effect is looked at, as a share of the pace. Effects that show nothing take no time. */
const SHARES: Readonly<Record<Effect["kind"], number>> = {
    added: 1.15,
    moved: 1.15,
    left: 1.15,
    banished: 1.15,
    "shamans-swapped": 1.15,
    flipped: 0.6,
    activated: 1,
    copied: 0.8,
    stopped: 0.4,
    "extra-turn": 0.8,
    "megalith-moved": 1.15,
    "megaliths-swapped": 1.15,
    replaced: 1.15,
    built: 1.15,
    "nothing-built": 0.6,
    drawn: 1.15,
    transformed: 0.8,
    passed: 0,
    ended: 0,
};

export interface Playback {
    /** Milliseconds that a piece glides; 0 shows only the end. */
    readonly pace: number;
    /** Called after every effect, with what is to be shown. */
    readonly show: (scene: Scene, effect: Effect) => void;
    /** Aborting it skips to the end; nothing is lost. */
    readonly signal?: AbortSignal | undefined;
}

/** Step a scene through effects; resolves with the scene after all of them. */
export async function play(scene: Scene, effects: readonly Effect[], { pace, show, signal }: Playback): Promise<Scene> {
    let now = scene;
    for (const effect of effects) {
        now = apply(now, effect);
        show(now, effect);
        const time = pace * SHARES[effect.kind];
        if (time > 0 && !signal?.aborted) await rest(time, signal);
    }
    return now;
}

/** Wait so long, or until it is aborted. */
export function rest(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
        const done = () => {
            clearTimeout(timer);
            signal?.removeEventListener("abort", done);
            resolve();
        };
        const timer = setTimeout(done, milliseconds);
        signal?.addEventListener("abort", done);
    });
}
