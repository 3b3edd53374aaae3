/** How long each effect is shown. */
import type { Effect } from "./effects";

/** How long a piece glides, in milliseconds; 0 turns animation off. A function is called before each effect. */
export type Pace = number | (() => number);

/** How long each kind of effect is shown, as a multiple of the pace. Effects with nothing to show take no time. */
export const SHARES: Readonly<Record<Effect["kind"], number>> = {
    added: 1,
    moved: 1,
    left: 2.2,
    banished: 1,
    "shamans-swapped": 1,
    flipped: 0.6,
    activated: 0.7,
    copied: 0.7,
    stopped: 0.4,
    "extra-turn": 0.7,
    "megalith-moved": 1,
    "megaliths-swapped": 1,
    replaced: 1,
    built: 1.3,
    "nothing-built": 0.7,
    drawn: 1,
    transformed: 0.7,
    passed: 0,
    ended: 0,
};

/** The fraction of an exit's duration during which the shaman is on its way out. Then it appears in its village. */
export const WAY_OUT = 0.6;

/** How long an effect is shown, in milliseconds. */
export function durationOf(effect: Effect, pace: Pace): number {
    return SHARES[effect.kind] * (typeof pace === "function" ? pace() : pace);
}

/** Wait for this many milliseconds, or until the signal is aborted. */
export function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
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
