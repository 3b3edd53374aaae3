/** The table of a lesson or a puzzle: all its state and behaviour that does not depend on what has to be found. */
import { untrack } from "svelte";

import { nextPicks } from "../../lib/picking";
import { reportProblem } from "../../lib/problems";
import { PACE, prefersStill, settings } from "../../lib/settings.svelte";
import { sound, soundOf } from "../../lib/sound";
import type { GameSource } from "../../lib/source";
import type { SafeStorage } from "../../lib/storage";
import { explain, explanationText, type Explanation } from "../cards/explanation";
import { BoardView } from "../play/boardView.svelte";
import { Inspector } from "../play/inspector.svelte";
import { isFocusKey, keyCommand } from "../play/keys";
import { PlayedGame } from "../play/playedGame.svelte";
import { Refusal } from "../play/refusal.svelte";
import { Speech } from "../play/speech.svelte";
import { TurnStrip } from "../play/turnStrip.svelte";
import { hasCard, label } from "../sentences/labels";
import { refusalSentence } from "../sentences/refusal";

/** How long keyboard focus must rest before an explanation is spoken, in milliseconds. */
const SPEAK_AFTER = 700;

/** An exercise is short, so a pending token need not survive a reload. */
const noMemory: SafeStorage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };

export interface ExerciseOptions {
    source: GameSource;
    /** Whether taps have no effect now. */
    closed: () => boolean;
    /** Called when a tap was accepted. */
    onPick: () => void;
}

export class Exercise {
    readonly played: PlayedGame;
    readonly view: BoardView;
    readonly speech: Speech;
    readonly inspector = new Inspector();
    readonly #options: ExerciseOptions;
    readonly #refusal = new Refusal();

    /** The explanation that screen readers speak. */
    spoken = $state("");

    readonly pace: number = $derived(PACE[settings.speed]);
    /** Why the last tap had no effect. */
    readonly refused: string | null = $derived.by(() => this.#refusal.sentence);
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
    constructor(options: ExerciseOptions) {
        this.#options = options;
        this.played = new PlayedGame({
            source: options.source,
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
        this.#follow();
    }

    readonly tap = (pick: string): void => {
        const { sync, selection } = this.played;
        const { game, moment } = sync;
        this.#refusal.clear();
        if (!game || !moment || this.#options.closed()) return;
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
        } else this.#options.onPick();
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

    #follow(): void {
        $effect(() => {
            const { effect } = this.played.playback;
            const name = effect && soundOf(effect);
            if (name) untrack(() => sound(name));
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
