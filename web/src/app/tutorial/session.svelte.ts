/** One attempt at a lesson: which step comes next, and what to say about it. */
import { untrack } from "svelte";

import { sound } from "../../lib/sound";
import type { Study } from "../exercise/exerciseCore";
import { Exercise } from "../exercise/exercise.svelte";
import { nextPickTo } from "../exercise/picks";
import type { Lesson, LessonStep, LessonText } from "./lessons";
import { LessonSource } from "./lessonSource";
import { filled } from "./texts";

/** How long a token that is not accepted stays on the board, in milliseconds. */
const LOOK = 900;

export interface LessonOptions {
    lesson: Lesson;
    /** The texts of the lesson. Called again when the language changes. */
    text: () => LessonText;
    study: Study;
    onComplete: () => void;
}

export class LessonSession {
    readonly lesson: Lesson;
    readonly exercise: Exercise;
    readonly #source: LessonSource;
    readonly #text: () => LessonText;

    /** How many steps are done. */
    count = $state(0);
    /** Whether the board shows a token that is not accepted. */
    #declined = $state(false);
    /** Whether the hint after a wrong attempt is shown instead of the message. */
    #hinted = $state(false);
    /** Whether there was a wrong attempt in this step. */
    #missed = $state(false);

    readonly step: LessonStep | undefined = $derived.by(() => this.lesson.steps[this.count]);
    /** Whether all steps are done and have been shown. */
    readonly finished: boolean = $derived.by(() => !this.step && this.exercise.played.playback.caughtUp);
    /** Whether the sentence is the hint after a wrong attempt. */
    readonly hinted: boolean = $derived.by(() => this.#hinted && (this.#declined || !this.exercise.view.running));
    /** What to do now, or the event that is being shown. */
    readonly sentence: string = $derived.by(() => {
        const { done, steps } = this.#text();
        if (!this.hinted && this.exercise.view.running) return this.exercise.speech.text;
        const [message = "", hint = ""] = steps[this.count] ?? [done];
        return filled(this.hinted ? hint : message);
    });
    /** The sentence for screen readers, with the question that the game would ask. Events are announced in the log. */
    readonly asked: string = $derived.by(() => {
        if (this.exercise.view.running && !this.hinted) return "";
        return this.hinted || !this.step ? this.sentence : `${this.sentence} ${this.exercise.speech.asked}`;
    });
    /** The picks to mark. */
    readonly targets: ReadonlySet<string> = $derived.by(() => {
        const { targets } = this.exercise.view;
        const { moment } = this.exercise.played.sync;
        if (!moment || !this.step || targets.size === 0 || !(this.step.point || this.#missed)) return targets;
        const pick = nextPickTo(this.step.best, moment.choices, this.exercise.played.selection.picks);
        return pick === null ? targets : new Set([pick]);
    });

    /** Create this during component initialisation; it is destroyed with the component. */
    constructor({ lesson, text, study, onComplete }: LessonOptions) {
        this.lesson = lesson;
        this.#text = text;
        this.#source = new LessonSource(lesson, study, {
            accepted: (count) => {
                this.count = count;
                this.#hinted = this.#missed = false;
                if (count === lesson.steps.length) onComplete();
            },
            declined: () => {
                this.#declined = this.#hinted = this.#missed = true;
            },
        });
        this.exercise = new Exercise({
            source: this.#source,
            closed: () => !this.step || this.#declined,
            onPick: () => (this.#hinted = false),
        });
        this.#takeBackWhenShown();
        $effect(() => {
            if (this.finished) untrack(() => sound("win"));
        });
    }

    #takeBackWhenShown(): void {
        $effect(() => {
            const { playback, sync } = this.exercise.played;
            if (!this.#declined || !playback.caughtUp || !sync.idle) return;
            const timer = setTimeout(
                () => {
                    this.#declined = false;
                    this.#source.takeBack();
                },
                this.exercise.pace === 0 ? 0 : LOOK,
            );
            return () => clearTimeout(timer);
        });
    }
}
