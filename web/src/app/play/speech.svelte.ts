/** Composes the sentences about a game: the prompt, the step being shown, and what screen readers announce. */
import { isTribe } from "@cairn/board/position";

import type { Step, TribeName } from "../../lib/client";
import { t } from "../../lib/i18n";
import { isSealed } from "../../lib/online";
import { forcedSentence } from "../sentences/consequences";
import { targetsSentence } from "../sentences/labels";
import { announcement, stepSentence } from "../sentences/narration";
import { prompt, type Asked } from "../sentences/prompt";
import type { BoardView } from "./boardView.svelte";
import type { PlayedGame } from "./playedGame.svelte";
import type { TurnStrip } from "./turnStrip.svelte";

/** How many steps the log for screen readers keeps. */
const LONGEST_LOG = 12;
/** How long a sealed draw may take before the prompt says who is delaying it, in milliseconds. Most are much faster. */
const USUAL_DRAW = 700;

export class Speech {
    readonly #played: PlayedGame;
    readonly #view: BoardView;
    readonly #strip: TurnStrip;
    /** Whole seconds since the computer started thinking. */
    #seconds = $state(0);
    /** Whether a sealed draw is taking longer than usual. */
    #late = $state(false);

    /** The steps so far, for screen readers; the newest comes last. */
    log = $state.raw<{ id: number; text: string }[]>([]);
    /** Whether the computer has to decide and all earlier steps have been shown. */
    readonly thinking: boolean = $derived.by(() => {
        const { game, moment } = this.#played.sync;
        if (!game || !moment || !this.#played.playback.caughtUp || moment.outcome || moment.held) return false;
        const { decider } = moment;
        return isTribe(decider) && game.seats[decider].kind === "computer";
    });
    /** With sealed draws: the tribes that have to reveal a link. */
    readonly #owed: readonly TribeName[] = $derived.by(() => {
        const { game, moment } = this.#played.sync;
        return game && moment && isSealed(game.proof) && !moment.outcome ? moment.owed : [];
    });
    readonly #waits: boolean = $derived(this.#owed.length > 0);
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
            forced: moment.held ? forcedSentence(this.#view.thisTurn) : "",
            awaited: this.#late ? this.#owed : [],
            replay: review.active ? { step: stepIndex, of: sync.steps.length } : null,
        };
    });
    /** The sentence in the prompt: the selected step, the step being shown or reviewed, or the question. */
    readonly text: string = $derived.by(() => {
        const { step, stepIndex, review, sync } = this.#played;
        if (this.#strip.sentence) return this.#strip.sentence;
        if (step && (this.#view.running || review.active))
            return stepSentence(step, sync.steps.slice(0, stepIndex - 1));
        return this.#asked ? prompt({ ...this.#asked, thinking: this.#seconds }) : t("play.loading");
    });
    /** The current question for screen readers, with the targets of the selection. Steps are announced in the log. */
    readonly asked: string = $derived.by(() => {
        const asked = this.#asked;
        if (this.#view.running || !asked || (this.#waits && !this.#late)) return "";
        const targets = this.#played.open ? targetsSentence(asked.moment, asked.picks) : null;
        return [prompt(asked), targets].filter(Boolean).join(" ");
    });
    /** The tribe that the sentence is about. */
    readonly tribe: TribeName | null = $derived.by(() =>
        this.#strip.sentence ? (this.#strip.turn?.tribe ?? null) : this.decider,
    );
    /** The tribe that has to decide, or that decided in the step being shown. */
    readonly decider: TribeName | null = $derived.by(() => {
        const { sync, review, step } = this.#played;
        const { moment } = sync;
        if (!moment) return null;
        if (this.#view.running || review.active) return step ? (step.by === "chance" ? step.active : step.by) : null;
        if (moment.outcome) return moment.outcome.winner;
        if (moment.decider === "chance") return moment.held ?? (this.#late ? (this.#owed[0] ?? null) : null);
        return moment.held ?? moment.decider;
    });

    /** Create this during component initialisation; it is destroyed with the component. */
    constructor(played: PlayedGame, view: BoardView, strip: TurnStrip) {
        this.#played = played;
        this.#view = view;
        this.#strip = strip;
        $effect(() => {
            this.#seconds = 0;
            if (!this.thinking) return;
            const { since } = played.sync;
            const timer = setInterval(() => (this.#seconds = Math.floor((Date.now() - since) / 1000)), 500);
            return () => clearInterval(timer);
        });
        $effect(() => {
            this.#late = false;
            if (!this.#waits) return;
            const timer = setTimeout(() => (this.#late = true), USUAL_DRAW);
            return () => clearTimeout(timer);
        });
    }

    /** Announce a step when its playback starts. */
    announce(step: Step): void {
        const id = (this.log.at(-1)?.id ?? 0) + 1;
        const { steps } = this.#played.sync;
        const text = announcement(step, steps.slice(0, Math.max(0, steps.indexOf(step))));
        this.log = [...this.log, { id, text }].slice(-LONGEST_LOG);
    }
}
