/** One visit to a game page. Contains all state and behaviour of the page, but no markup. */
import { untrack } from "svelte";

import type { Step, TribeName } from "../../lib/client";
import { recordName, saveFile } from "../../lib/files";
import { createGame } from "../../lib/games";
import { t } from "../../lib/i18n";
import { nextPicks } from "../../lib/picking";
import { isStorageProblem, reportProblem } from "../../lib/problems";
import { navigate, setQuery } from "../../lib/router.svelte";
import { PACE, settings } from "../../lib/settings.svelte";
import { endSound, sound, soundOf } from "../../lib/sound";
import { openGame, type GameSource } from "../../lib/source";
import { sessionStore } from "../../lib/storage";
import type { RematchOffer } from "../online/rematch.svelte";
import { OnlineTable } from "../online/table.svelte";
import { explain, explanationText, label, type Explanation } from "../sentences/explanation";
import { offerSentence, rematchSentence } from "../sentences/offers";
import { refusalSentence, undoRefusal } from "../sentences/refusal";
import { BoardView } from "./boardView.svelte";
import { Inspector } from "./inspector.svelte";
import { isFocusKey, keyCommand, type KeyCommand } from "./keys";
import { PlayedGame } from "./playedGame.svelte";
import { rematchOf } from "./share";
import { Speech } from "./speech.svelte";
import { tellGoalOnce } from "./welcome";

/** How long a refusal is shown, in milliseconds. */
const REFUSAL = 4_000;
/** How long keyboard focus must rest before an explanation is spoken, in milliseconds. */
const SPEAK_AFTER = 700;

export class PlaySession {
    readonly id: string;
    readonly source: GameSource;
    readonly played: PlayedGame;
    readonly view: BoardView;
    readonly speech: Speech;
    readonly inspector = new Inspector();
    /** The channel between remote players; `null` if the game's source has none. */
    readonly table: OnlineTable | null;
    #refusalTimer: ReturnType<typeof setTimeout> | undefined;

    /** Components that only online games need. */
    parts = $state.raw<typeof import("../online/onlineChunk") | null>(null);
    /** The rematch with the same player, available once this game is over. */
    rematchOffer = $state.raw<RematchOffer | null>(null);
    /** Which sheet is open. */
    sheet = $state<"moves" | "table" | "keys" | null>(null);
    /** Whether the end card was closed. */
    endClosed = $state(false);
    /** Whether a new game with the same seats is being created. */
    restarting = $state(false);
    /** Why the last tap had no effect. */
    refused = $state<string | null>(null);
    /** The explanation that screen readers speak. */
    spoken = $state("");
    /** The tribe at the bottom of the board, before a manual flip. */
    #seat = $state<TribeName>("forest");
    #flipped = $state(false);

    readonly pace: number = $derived(PACE[settings.speed]);
    readonly orientation: TribeName = $derived(this.#flipped === (this.#seat === "forest") ? "sea" : "forest");
    /** The tribes of this player in an online game; `null` in other games. */
    readonly mine: readonly TribeName[] | null = $derived.by(() =>
        this.played.game?.kind === "online" ? this.played.sync.mine : null,
    );
    readonly isOver: boolean = $derived.by(() => Boolean(this.played.sync.moment?.outcome));
    /** Whether the board shows the end of a finished game. */
    readonly isEnd: boolean = $derived.by(() => this.isOver && this.played.isLive);
    /** The explanation that the player requested. */
    readonly explanation: Explanation | null = $derived.by(() => this.#explain());
    /** The open offers as sentences, for screen readers. */
    readonly offers: string = $derived.by(() => {
        const challenge = this.rematchOffer?.challenge;
        const { mine } = this;
        const offers = (!this.isOver && this.played.sync.moment?.offers) || [];
        return [...offers.map((offer) => offerSentence(offer, mine ?? [])), challenge && rematchSentence(challenge)]
            .filter(Boolean)
            .join(" ");
    });

    /** Create this during component initialisation; it is destroyed with the component. */
    constructor(id: string, step: number | null) {
        const source = openGame(id);
        this.id = id;
        this.source = source;
        this.table = source.table && new OnlineTable(id, source.table);
        this.played = new PlayedGame({
            source,
            pace: () => PACE[settings.speed],
            hold: () => settings.confirmTurn,
            memory: sessionStore,
            onStep: (next) => this.#announce(next),
            onProblem: (problem) => this.#report(problem),
        });
        this.view = new BoardView(this.played);
        this.speech = new Speech(this.played, this.view);
        $effect(() => {
            untrack(() => {
                this.table?.start();
                this.played.start(step);
            });
            return () => {
                this.played.stop();
                this.table?.stop();
                clearTimeout(this.#refusalTimer);
            };
        });
        this.#followSettings();
        this.#followGame();
    }

    // --- Commands -------------------------------------------------------------------------------------------------

    readonly tap = (pick: string): void => {
        this.#clearRefusal();
        const { sync, selection, review } = this.played;
        const { game, moment } = sync;
        if (!game || !moment) return;
        const refused = {
            moment,
            seats: game.seats,
            picks: selection.picks,
            pick,
            mine: sync.limitedTo,
            pending: Boolean(sync.pending),
            replay: review.active,
        };
        if (this.played.tap(pick) === "refused") this.#refuse(refusalSentence(refused));
    };

    readonly cancel = (): void => {
        this.#clearRefusal();
        this.inspector.close();
        this.played.selection.reset();
    };

    readonly undo = (scope: "step" | "turn"): void => {
        const can = this.played.sync.undoable[scope];
        if (can !== true) this.#refuse(undoRefusal(can));
        else void this.played.undo(scope);
    };

    readonly flip = (): void => {
        this.#flipped = !this.#flipped;
    };

    readonly goTo = (count: number): void => this.played.goTo(count);

    /** Review the game from the start. */
    readonly reviewGame = (): void => {
        this.endClosed = true;
        this.played.goTo(0);
    };

    readonly showEnd = (): void => {
        this.endClosed = false;
        this.played.goLive();
    };

    /** Play again at this screen, with the sides swapped. */
    readonly restart = async (): Promise<void> => {
        const { game } = this.played;
        if (!game || this.restarting) return;
        this.restarting = true;
        try {
            navigate(`/game/${await createGame(rematchOf(game))}`);
        } catch (problem) {
            reportProblem(problem);
        } finally {
            this.restarting = false;
        }
    };

    /** Save the record as a file. */
    readonly save = async (): Promise<void> => {
        const { game } = this.played;
        if (!game) return;
        try {
            saveFile(recordName(game), await this.source.record());
        } catch (problem) {
            reportProblem(problem);
        }
    };

    /** Handle a key press. `toBoard` moves the focus to the board. */
    key(event: KeyboardEvent, toBoard: () => void): void {
        const command = keyCommand(event, this.inspector.byPointer, settings.shortcuts);
        if (command === "board" || isFocusKey(event)) this.inspector.key();
        if (!command || !this.played.game) return;
        event.preventDefault();
        event.stopPropagation();
        if (command === "board") toBoard();
        else this.#commands[command]();
    }

    readonly #commands: Record<Exclude<KeyCommand, "board">, () => void> = {
        undo: () => this.undo("step"),
        undoTurn: () => this.undo("turn"),
        confirm: () => void this.played.confirm(),
        keep: () => this.#keep(),
        flip: this.flip,
        help: () => (this.sheet = "keys"),
        cancel: this.cancel,
        previous: () => this.played.goTo(this.played.stepIndex - 1),
        next: () => this.played.goTo(this.played.stepIndex + 1),
        first: () => this.played.goTo(0),
        last: () => (this.isOver ? this.played.goTo(this.played.sync.steps.length) : this.played.goLive()),
    };

    /** Keep the turn as it is, or stop applying a power. */
    #keep(): void {
        const { asked, moment } = this.played.sync;
        const next = nextPicks(asked && moment ? moment.choices : [], []);
        const pick = ["button:pass", "button:stop"].find((button) => next.has(button));
        if (pick) this.tap(pick);
    }

    /** Report a problem. If the game cannot be stored, offer to save it as a file. */
    #report(problem: unknown): void {
        const save = { label: t("play.record.download"), run: () => void this.save() };
        reportProblem(problem, isStorageProblem(problem) ? save : undefined);
    }

    #refuse(sentence: string): void {
        this.#clearRefusal();
        this.refused = sentence;
        sound("refuse");
        this.#refusalTimer = setTimeout(() => (this.refused = null), REFUSAL);
    }

    #clearRefusal(): void {
        clearTimeout(this.#refusalTimer);
        this.refused = null;
    }

    // --- Reactions to state changes -------------------------------------------------------------------------------

    #announce(step: Step): void {
        this.speech.announce(step);
        const ended = step.effects.find((effect) => effect.kind === "ended");
        if (ended) sound(endSound(ended.winner, this.played.sync.mine));
        else if (this.pace === 0) sound(step.effects.map(soundOf).find((name) => name !== null) ?? "step");
    }

    #explain(): Explanation | null {
        const { sync, playback, isLive, open, stepIndex } = this.played;
        const { subject } = this.inspector;
        if (!subject || !playback.scene) return null;
        const last = stepIndex === sync.steps.length;
        const draws = last && this.isOver ? "over" : last && sync.moment?.held ? "confirmed" : "next";
        const found = explain(subject, playback.scene, open && isLive ? sync.moment : null, draws);
        return found.art || found.lines.length > 0 || found.now ? found : null;
    }

    /** The accessible name of something on the table. */
    readonly label = (subject: string): string => {
        const { scene } = this.played.playback;
        return scene ? label(subject, scene) : "";
    };

    #followSettings(): void {
        // Put the player's tribe at the bottom. With two players and a turning board, put the active tribe there.
        $effect(() => {
            const { sync, isLive } = this.played;
            const { mine, moment } = sync;
            if (mine.length === 1 && mine[0]) this.#seat = mine[0];
            else if (!settings.turnBoard || mine.length === 0) this.#seat = "forest";
            else if (moment && isLive && !moment.outcome) this.#seat = moment.held ?? moment.active;
        });
        $effect(() => {
            const { effect } = this.played.playback;
            const name = effect && soundOf(effect);
            if (name) untrack(() => sound(name));
        });
        // Keep the reviewed moment in the URL, so that it survives a reload and can be shared.
        $effect(() => {
            const { cursor } = this.played.review;
            if (this.played.game) untrack(() => setQuery({ step: cursor }));
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

    #followGame(): void {
        $effect(() => {
            const { sync, review } = this.played;
            if (sync.game && !this.isOver && sync.mine.length > 0 && !review.active) untrack(tellGoalOnce);
        });
        // A sheet must not cover the result.
        $effect(() => {
            if (this.isOver) this.sheet = null;
        });
        const isOnline = $derived(this.played.game?.kind === "online");
        $effect(() => {
            if (isOnline) import("../online/onlineChunk").then((parts) => (this.parts = parts), reportProblem);
        });
        const plays = $derived(Boolean(this.mine?.length));
        $effect(() => {
            if (!this.parts || !this.isOver || !plays) return;
            const offer = new this.parts.RematchOffer(this.id);
            this.rematchOffer = offer;
            return () => {
                offer.stop();
                this.rematchOffer = null;
            };
        });
        $effect(() => {
            void this.table?.rematch;
            const offer = this.rematchOffer;
            if (offer) untrack(() => void offer.look());
        });
    }
}
