/** Steps through a game automatically. */
import { untrack } from "svelte";

import { PACE, prefersStill, settings } from "../../lib/settings.svelte";
import type { PlayedGame } from "./playedGame.svelte";

/** How long a step is shown, in milliseconds: long enough to read its sentence. */
const READING = 900;

export class Autoplay {
    readonly #played: PlayedGame;
    running = $state(false);

    /** Create this during component initialisation. With `autostart`, it starts as soon as the game is loaded. */
    constructor(played: PlayedGame, autostart: boolean, act: { goTo: (count: number) => void; showEnd: () => void }) {
        this.#played = played;
        // Visitors who prefer reduced motion start it with the button.
        let willStart = autostart && !prefersStill();
        $effect(() => {
            if (!played.game || !willStart) return;
            willStart = false;
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

    /** Play or pause. At the end, start over. */
    readonly toggle = (): void => {
        const { stepIndex, sync } = this.#played;
        if (!this.running && stepIndex >= sync.steps.length) this.#played.goTo(0);
        this.running = !this.running;
    };
}
