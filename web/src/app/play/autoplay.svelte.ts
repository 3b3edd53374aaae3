/** Steps through a game by itself. */
import { untrack } from "svelte";

import { PACE, prefersStill, settings } from "../../lib/settings.svelte";
import type { PlayedGame } from "./playedGame.svelte";

/** How long a step is shown, in milliseconds: long enough to read its sentence. */
const READING = 900;

export class Autoplay {
    readonly #played: PlayedGame;
    running = $state(false);

    /** Create this during component initialisation. With `begin`, it starts when the game arrives. */
    constructor(played: PlayedGame, begin: boolean, act: { goTo: (count: number) => void; showEnd: () => void }) {
        this.#played = played;
        // A visitor who asked for less motion starts it with the button.
        let begins = begin && !prefersStill();
        $effect(() => {
            if (!played.game || !begins) return;
            begins = false;
            this.running = true;
        });
        $effect(() => {
            if (!this.running || !played.game) return;
            const { stepIndex } = played;
            if (stepIndex >= played.sync.steps.length) {
                untrack(() => {
                    this.running = false;
                    act.showEnd();
                });
                return;
            }
            const timer = setTimeout(() => act.goTo(stepIndex + 1), READING + PACE[settings.speed]);
            return () => clearTimeout(timer);
        });
    }

    /** Play or pause. At the end, begin again. */
    readonly toggle = (): void => {
        const { stepIndex, sync } = this.#played;
        if (!this.running && stepIndex >= sync.steps.length) this.#played.goTo(0);
        this.running = !this.running;
    };
}
