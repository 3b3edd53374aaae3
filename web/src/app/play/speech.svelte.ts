/** Composes the sentences about a game: the prompt, the step being shown, and what screen readers announce. */
import { isTribe } from "@cairn/board/position";

import type { Step, TribeName } from "../../lib/client";
import { t } from "../../lib/i18n";
import { targetsSentence } from "../sentences/explanation";
import { announcement, stepSentence } from "../sentences/narration";
import { prompt, type Asked } from "../sentences/prompt";
import type { BoardView } from "./boardView.svelte";
import type { PlayedGame } from "./playedGame.svelte";

/** How many steps the log for screen readers keeps. */
const LONGEST_LOG = 12;

export class Speech {
    readonly #played: PlayedGame;
    readonly #view: BoardView;
    /** Whole seconds since the computer began to think. */
    #seconds = $state(0);

    /** The steps so far, for screen readers; the newest comes last. */
    log = $state.raw<{ id: number; text: string }[]>([]);
    /** Whether the computer has to decide and all earlier steps have been shown. */
    readonly thinking: boolean = $derived.by(() => {
        const { game, moment } = this.#played.sync;
        if (!game || !moment || !this.#played.playback.caughtUp || moment.outcome || moment.held) return false;
        const { decider } = moment;
        return isTribe(decider) && game.seats[decider].kind === "computer";
    });
    readonly #asked: Asked | null = $derived.by(() => {
        const { sync, selection, review, stepIndex } = this.#played;
        const { game, moment } = sync;
        if (!game || !moment) return null;
        return {
            moment,
            seats: game.seats,
            picks: selection.picks,
            mine: sync.limitedTo,
            pending: sync.pending?.token ?? null,
            replay: review.active ? { step: stepIndex, of: sync.steps.length } : null,
        };
    });
    /** The sentence above the board: the step being shown or reviewed, or the current question. */
    readonly text: string = $derived.by(() => {
        const { step, review } = this.#played;
        if (step && (this.#view.running || review.active)) return stepSentence(step);
        return this.#asked ? prompt({ ...this.#asked, thinking: this.#seconds }) : t("play.loading");
    });
    /** The current question for screen readers, with the targets of the selection. Steps are announced in the log. */
    readonly asked: string = $derived.by(() => {
        const asked = this.#asked;
        if (this.#view.running || !asked) return "";
        const targets = this.#played.open ? targetsSentence(asked.moment, asked.picks) : null;
        return [prompt(asked), targets].filter(Boolean).join(" ");
    });
    /** The tribe that the sentence is about. */
    readonly tribe: TribeName | null = $derived.by(() => {
        const { sync, review, step } = this.#played;
        const { moment } = sync;
        if (!moment) return null;
        if (this.#view.running || review.active) return step ? (step.by === "chance" ? step.active : step.by) : null;
        if (moment.outcome) return moment.outcome.winner;
        return moment.held ?? (moment.decider === "chance" ? null : moment.decider);
    });

    /** Create this during component initialisation; it is destroyed with the component. */
    constructor(played: PlayedGame, view: BoardView) {
        this.#played = played;
        this.#view = view;
        $effect(() => {
            this.#seconds = 0;
            if (!this.thinking) return;
            const { since } = played.sync;
            const timer = setInterval(() => (this.#seconds = Math.floor((Date.now() - since) / 1000)), 500);
            return () => clearInterval(timer);
        });
    }

    /** Announce a step when its playback starts. */
    announce(step: Step): void {
        const id = (this.log.at(-1)?.id ?? 0) + 1;
        this.log = [...this.log, { id, text: announcement(step) }].slice(-LONGEST_LOG);
    }
}
