/** One attempt at a lesson. Contains all state and behaviour of the lesson's table, but no markup. */
import { untrack } from "svelte";

import { nextPicks } from "../../lib/picking";
import { reportProblem } from "../../lib/problems";
import { PACE, prefersStill, settings } from "../../lib/settings.svelte";
import { sound, soundOf } from "../../lib/sound";
import type { SafeStorage } from "../../lib/storage";
import { BoardView } from "../play/boardView.svelte";
import { Inspector } from "../play/inspector.svelte";
import { isFocusKey, keyCommand } from "../play/keys";
import { PlayedGame } from "../play/playedGame.svelte";
import { Refusal } from "../play/refusal.svelte";
import { Speech } from "../play/speech.svelte";
import { TurnStrip } from "../play/turnStrip.svelte";
import { explain, explanationText, type Explanation } from "../cards/explanation";
import { hasCard, label } from "../sentences/labels";
import { refusalSentence } from "../sentences/refusal";
import type { Study } from "./lessonCore";
import { nextPickTo, type Lesson, type LessonStep, type LessonText } from "./lessons";
import { LessonSource } from "./lessonSource";
import { filled } from "./texts";

/** How long a token that is not accepted stays on the board, in milliseconds. */
const LOOK = 900;
/** How long keyboard focus must rest before an explanation is spoken, in milliseconds. */
const SPEAK_AFTER = 700;

/** A lesson is short, so a pending token need not survive a reload. */
const noMemory: SafeStorage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };

export interface LessonOptions {
    lesson: Lesson;
    /** The texts of the lesson. Called again when the language changes. */
    text: () => LessonText;
    study: Study;
    onComplete: () => void;
}

export class LessonSession {
    readonly lesson: Lesson;
    readonly played: PlayedGame;
    readonly view: BoardView;
    readonly speech: Speech;
    readonly inspector = new Inspector();
    readonly #source: LessonSource;
    readonly #text: () => LessonText;
    readonly #refusal = new Refusal();

    /** How many steps are done. */
    count = $state(0);
    /** Whether the board shows a token that is not accepted. */
    #declined = $state(false);
    /** Whether the hint after a wrong attempt is shown instead of the message. */
    #hinted = $state(false);
    /** Whether there was a wrong attempt in this step. */
    #missed = $state(false);
    /** The explanation that screen readers speak. */
    spoken = $state("");

    readonly pace: number = $derived(PACE[settings.speed]);
    /** Why the last tap had no effect. */
    readonly refused: string | null = $derived.by(() => this.#refusal.sentence);
    readonly step: LessonStep | undefined = $derived.by(() => this.lesson.steps[this.count]);
    /** Whether all steps are done and have been shown. */
    readonly finished: boolean = $derived.by(() => !this.step && this.played.playback.caughtUp);
    /** Whether the sentence is the hint after a wrong attempt. */
    readonly hinted: boolean = $derived.by(() => this.#hinted && (this.#declined || !this.view.running));
    /** What to do now, or the event that is being shown. */
    readonly sentence: string = $derived.by(() => {
        const { done, steps } = this.#text();
        if (!this.hinted && this.view.running) return this.speech.text;
        const [message = "", hint = ""] = steps[this.count] ?? [done];
        return filled(this.hinted ? hint : message);
    });
    /** The sentence for screen readers, with the question that the game would ask. Events are announced in the log. */
    readonly asked: string = $derived.by(() => {
        if (this.view.running && !this.hinted) return "";
        return this.hinted || !this.step ? this.sentence : `${this.sentence} ${this.speech.asked}`;
    });
    /** The picks to mark. */
    readonly targets: ReadonlySet<string> = $derived.by(() => {
        const { targets } = this.view;
        const { moment } = this.played.sync;
        if (!moment || !this.step || targets.size === 0 || !(this.step.point || this.#missed)) return targets;
        const pick = nextPickTo(this.step.best, moment.choices, this.played.selection.picks);
        return pick === null ? targets : new Set([pick]);
    });
    readonly explanation: Explanation | null = $derived.by(() => {
        const { playback, open, sync } = this.played;
        const { subject } = this.inspector;
        if (!subject || !playback.scene) return null;
        const found = explain(subject, playback.scene, open ? sync.moment : null, {
            picks: this.played.selection.picks,
        });
        return found.art || found.lines.length > 0 || found.now ? found : null;
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
        this.played = new PlayedGame({
            source: this.#source,
            pace: () => PACE[settings.speed],
            beat: () => (prefersStill() ? 0 : PACE[settings.speed]),
            hold: () => false,
            memory: noMemory,
            onStep: (step) => this.speech.announce(step),
            onProblem: reportProblem,
        });
        this.view = new BoardView(this.played);
        this.speech = new Speech(this.played, this.view, new TurnStrip(this.played, () => this.pace));
        $effect(() => {
            untrack(() => this.played.start());
            return () => {
                this.played.stop();
                this.#refusal.clear();
            };
        });
        this.#takeBackWhenShown();
        this.#follow();
    }

    readonly tap = (pick: string): void => {
        const { sync, selection } = this.played;
        const { game, moment } = sync;
        this.#refusal.clear();
        if (!game || !moment || !this.step || this.#declined) return;
        const refused = {
            moment,
            seats: game.seats,
            picks: selection.picks,
            pick,
            mine: null,
            pending: Boolean(sync.pending),
            replay: false,
        };
        if (this.played.tap(pick) === "refused") {
            if (hasCard(pick, moment)) this.inspector.pin(pick);
            this.#refusal.show(refusalSentence(refused));
        } else this.#hinted = false;
    };

    readonly cancel = (): void => {
        this.#refusal.clear();
        this.inspector.close();
        this.played.selection.reset();
    };

    /** Handle a key press. `toBoard` moves the focus to the board. */
    key(event: KeyboardEvent, toBoard: () => void): void {
        const command = keyCommand(event, this.inspector.byPointer, settings.shortcuts);
        if (command === "board" || isFocusKey(event)) this.inspector.key();
        if (command === "board") toBoard();
        else if (command === "cancel") this.cancel();
        else if (command === "keep") this.#keep();
        else return;
        event.preventDefault();
        event.stopPropagation();
    }

    /** The accessible name of something on the table. */
    readonly label = (subject: string): string => {
        const { scene } = this.played.playback;
        return scene ? label(subject, scene) : "";
    };

    #keep(): void {
        const { asked, moment } = this.played.sync;
        const next = nextPicks(asked && moment ? moment.choices : [], []);
        const pick = ["button:pass", "button:stop"].find((button) => next.has(button));
        if (pick) this.tap(pick);
    }

    #takeBackWhenShown(): void {
        $effect(() => {
            if (!this.#declined || !this.played.playback.caughtUp || !this.played.sync.idle) return;
            const timer = setTimeout(
                () => {
                    this.#declined = false;
                    this.#source.takeBack();
                },
                this.pace === 0 ? 0 : LOOK,
            );
            return () => clearTimeout(timer);
        });
    }

    #follow(): void {
        $effect(() => {
            const { effect } = this.played.playback;
            const name = effect && soundOf(effect);
            if (name) untrack(() => sound(name));
        });
        $effect(() => {
            if (this.finished) untrack(() => sound("win"));
        });
        $effect(() => {
            const { explanation } = this;
            const text = explanation && !this.inspector.byPointer ? explanationText(explanation) : "";
            if (!text) {
                this.spoken = "";
                return;
            }
            const timer = setTimeout(() => (this.spoken = text), SPEAK_AFTER);
            return () => clearTimeout(timer);
        });
    }
}
