/** What is said about a game: what is asked and of whom, what happens, and what happened for those who hear it. */
import type { Step, TribeName } from "../../lib/client";
import { t } from "../../lib/i18n";
import type { GameStore } from "./gameStore.svelte";
import { announcement, stepSentence } from "../sentences/narration";
import { prompt, type Asked } from "../sentences/prompt";
import type { Shown } from "./shown.svelte";

/** So many of the last steps are kept for those who hear them. */
const LONGEST_LOG = 12;

export class Speech {
    readonly #store: GameStore;
    readonly #shown: Shown;
    /** Whole seconds since the computer began to think. */
    #seconds = $state(0);

    /** What happened; the newest comes last. */
    log = $state.raw<{ id: number; text: string }[]>([]);
    /** Whether the computer is to decide, and all that led to it has been seen. */
    readonly thinking: boolean = $derived.by(() => {
        const { game, moment, caughtUp } = this.#store;
        if (!game || !moment || !caughtUp || moment.outcome || moment.held) return false;
        const { decider } = moment;
        return (decider === "forest" || decider === "sea") && game.seats[decider].kind === "computer";
    });
    readonly #asked: Asked | null = $derived.by(() => {
        const { game, moment, picks, mine, pending, replaying, at, steps } = this.#store;
        if (!game || !moment) return null;
        return {
            moment,
            seats: game.seats,
            picks,
            mine: game.kind === "online" ? mine : null,
            pending: pending?.token ?? null,
            replay: replaying ? { step: at, of: steps.length } : null,
        };
    });
    /** The one sentence: what happens, or what happened at the moment that is looked at, or what is asked. */
    readonly text: string = $derived.by(() => {
        const { step, running } = this.#shown;
        if (step && (running || this.#store.replaying)) return stepSentence(step);
        return this.#asked ? prompt({ ...this.#asked, thinking: this.#seconds }) : t("play.loading");
    });
    /** What is asked, for those who hear it; what happens is in the log. */
    readonly asked: string = $derived.by(() => (this.#shown.running || !this.#asked ? "" : prompt(this.#asked)));
    /** Whose sentence it is. */
    readonly tribe: TribeName | null = $derived.by(() => {
        const { moment, replaying } = this.#store;
        const { step, running } = this.#shown;
        if (!moment) return null;
        if (running || replaying) return step ? (step.by === "chance" ? step.active : step.by) : null;
        if (moment.outcome) return moment.outcome.winner;
        return moment.held ?? (moment.decider === "chance" ? null : moment.decider);
    });

    /** Made while a component begins, for as long as it stands. */
    constructor(store: GameStore, shown: Shown) {
        this.#store = store;
        this.#shown = shown;
        $effect(() => {
            this.#seconds = 0;
            if (!this.thinking) return;
            const { since } = store;
            const timer = setInterval(() => (this.#seconds = Math.floor((Date.now() - since) / 1000)), 500);
            return () => clearInterval(timer);
        });
    }

    /** A step begins to be shown. */
    tell(step: Step): void {
        const id = (this.log.at(-1)?.id ?? 0) + 1;
        this.log = [...this.log, { id, text: announcement(step) }].slice(-LONGEST_LOG);
    }
}
