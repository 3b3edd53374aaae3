/** Loads what is not needed at first: tips, help against low levels, the victory animation, the result. */
import { untrack } from "svelte";

import type { TribeName } from "../../lib/client";
import { reportProblem } from "../../lib/problems";
import { localStore } from "../../lib/storage";
import type { Help } from "../guide/help.svelte";
import { allSeen } from "../guide/seenTips";
import type { PlayedGame } from "./playedGame.svelte";

/** The highest level against which the player may ask for help. */
const HIGHEST_HELPED = 3;
/** At this score, one more megalith wins, so the victory animation is loaded. */
const NEARLY_WON = 2;

export class Guidance {
    readonly #played: PlayedGame;
    readonly #opponent: () => number | null;

    /** The component for tips. */
    tips = $state.raw<typeof import("../guide/guideChunk") | null>(null);
    /** The components for help. */
    parts = $state.raw<typeof import("../guide/helpChunk") | null>(null);
    /** Hints and threats; `null` if the player may not ask for them, or until they are loaded. */
    help = $state.raw<Help | null>(null);
    /** The victory animation; loaded when a victory is near. */
    Victory = $state.raw<typeof import("../guide/Victory.svelte").default | null>(null);
    /** The result card; loaded at the end of the game. */
    EndCard = $state.raw<typeof import("./EndCard.svelte").default | null>(null);
    /** Whether a player at this screen has just won and the victory animation has not finished. */
    #won = $state(false);

    /** Whether some tips have not been shown yet. */
    readonly hasTips: boolean = !allSeen(localStore);
    /** Whether the player may ask for hints and threats. */
    readonly isHelped: boolean = $derived.by(() => {
        const level = this.#opponent();
        return level !== null && level <= HIGHEST_HELPED && this.#played.game?.kind !== "online";
    });
    readonly celebrates: boolean = $derived.by(
        () => this.#won && this.#played.isLive && Boolean(this.#played.sync.moment?.outcome),
    );
    /** The space on which the last megalith was built. */
    readonly lastBuilt: string | null = $derived.by(() => {
        const built = this.#played.sync.steps.at(-1)?.effects.findLast(({ kind }) => kind === "built");
        return built?.kind === "built" ? built.space : null;
    });

    /** Create this during component initialisation. `opponent` is the level of the computer, if there is one. */
    constructor(played: PlayedGame, opponent: () => number | null) {
        this.#played = played;
        this.#opponent = opponent;
        const plays = $derived(played.sync.mine.length > 0 && !played.sync.moment?.outcome);
        $effect(() => {
            if (!plays || this.tips || !this.hasTips) return;
            import("../guide/guideChunk").then((tips) => (this.tips = tips), reportProblem);
        });
        $effect(() => {
            if (!plays || this.parts || !this.isHelped) return;
            import("../guide/helpChunk").then((parts) => (this.parts = parts), reportProblem);
        });
        $effect(() => {
            const { parts } = this;
            if (!parts || !plays || !this.isHelped) return;
            this.help = untrack(() => new parts.Help(played));
            return () => (this.help = null);
        });
        const isOver = $derived(Boolean(played.sync.moment?.outcome));
        $effect(() => {
            if (!isOver || this.EndCard) return;
            import("./EndCard.svelte").then(({ default: card }) => (this.EndCard = card), reportProblem);
        });
        const near = $derived(played.sync.mine.some((tribe) => played.playback.scene?.scores[tribe] === NEARLY_WON));
        $effect(() => {
            if (!near || this.Victory) return;
            // If the script cannot be loaded, the result is shown at once.
            import("../guide/Victory.svelte").then(
                ({ default: shown }) => (this.Victory = shown),
                () => undefined,
            );
        });
    }

    /** Show the victory animation at the end of playback, if a player at this screen has won. */
    celebrate(winner: TribeName): void {
        this.#won = this.Victory !== null && this.#played.sync.mine.includes(winner);
    }

    /** End the victory animation. */
    readonly celebrated = (): void => {
        this.#won = false;
    };
}
