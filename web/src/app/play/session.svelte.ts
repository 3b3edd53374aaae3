/** One visit to a game page. Contains all state and behaviour of the page, but no markup. */
import { untrack } from "svelte";

import type { NewGame, Step, TribeName } from "../../lib/client";
import { recordName, saveFile } from "../../lib/files";
import { createGame } from "../../lib/games";
import { t } from "../../lib/i18n";
import { isSealed } from "../../lib/online";
import { nextPicks } from "../../lib/picking";
import { isStorageProblem, reportProblem } from "../../lib/problems";
import { navigate, setQuery } from "../../lib/router.svelte";
import { PACE, prefersStill, settings } from "../../lib/settings.svelte";
import { endSound, sound, soundOf } from "../../lib/sound";
import { openGame, type GameSource } from "../../lib/source";
import { sessionStore } from "../../lib/storage";
import { OnlineParts } from "../online/onlineParts.svelte";
import { OnlineTable } from "../online/table.svelte";
import type { Explanation } from "../cards/explanation";
import { hasCard, label } from "../sentences/labels";
import { offerSentence, rematchSentence } from "../sentences/offers";
import { refusalSentence, undoRefusal } from "../sentences/refusal";
import { Autoplay } from "./autoplay.svelte";
import { BoardView } from "./boardView.svelte";
import { Guidance } from "./guidance.svelte";
import { Inspector } from "./inspector.svelte";
import { isFocusKey, isSkipKey, keyCommand, type KeyCommand } from "./keys";
import { Refusal } from "./refusal.svelte";
import { PlayedGame } from "./playedGame.svelte";
import { Speech } from "./speech.svelte";
import { callOnTurn } from "./turnCall.svelte";
import { TurnStrip } from "./turnStrip.svelte";

/** How long keyboard focus must rest before an explanation is spoken, in milliseconds. */
const SPEAK_AFTER = 700;

export class PlaySession {
    readonly id: string;
    readonly source: GameSource;
    readonly played: PlayedGame;
    readonly view: BoardView;
    readonly strip: TurnStrip;
    readonly speech: Speech;
    readonly autoplay: Autoplay;
    readonly inspector = new Inspector();
    readonly guidance: Guidance;
    readonly online: OnlineParts;
    /** The channel between remote players; `null` if the game's source has none. */
    readonly table: OnlineTable | null;
    readonly #refusal = new Refusal();

    /** The cards, loaded after the board. */
    cards = $state.raw<typeof import("../cards/cardsChunk") | null>(null);
    /** The list of moves and what belongs to it; loaded once the board is visible. */
    panel = $state.raw<typeof import("./panelChunk") | null>(null);
    /** Which sheet is open. */
    sheet = $state<"moves" | "table" | "keys" | null>(null);
    /** Whether the end card was closed. */
    endClosed = $state(false);
    /** Whether another game is being created. */
    restarting = $state(false);
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
    readonly isSealed: boolean = $derived.by(() => isSealed(this.played.game?.proof));
    /** The level of the computer, if a person plays against it. */
    readonly opponent: number | null = $derived.by(() => {
        const { forest, sea } = this.played.game?.seats ?? {};
        return forest?.kind === sea?.kind ? null : (forest?.level ?? sea?.level ?? null);
    });
    readonly isOver: boolean = $derived.by(() => Boolean(this.played.sync.moment?.outcome));
    /** Whether the board shows the end of a finished game. */
    readonly isEnd: boolean = $derived.by(() => this.isOver && this.played.isLive);
    /** The explanation that the player requested. */
    readonly explanation: Explanation | null = $derived.by(() => this.#explain());
    /** Why the last tap had no effect. */
    readonly refused: string | null = $derived.by(() => this.#refusal.sentence);
    /** The refusal to show on the card that the refused tap opened, unless the card says the same. */
    readonly note: string | null = $derived.by(() => {
        const { explanation, refused } = this;
        return this.inspector.pinned && explanation?.now !== refused ? refused : null;
    });
    /** The open offers as sentences, for screen readers. */
    readonly offers: string = $derived.by(() => {
        const challenge = this.online.rematchOffer?.challenge;
        const { mine } = this;
        const offers = (!this.isOver && this.played.sync.moment?.offers) || [];
        return [...offers.map((offer) => offerSentence(offer, mine ?? [])), challenge && rematchSentence(challenge)]
            .filter(Boolean)
            .join(" ");
    });

    /** Create this during component initialisation; it is destroyed with the component. */
    constructor(id: string, step: number | null, replay = false) {
        const source = openGame(id);
        this.id = id;
        this.source = source;
        this.table = source.table && new OnlineTable(id, source.table);
        this.played = new PlayedGame({
            source,
            pace: () => PACE[settings.speed],
            beat: () => (prefersStill() ? 0 : PACE[settings.speed]),
            hold: () => settings.confirmTurn,
            memory: sessionStore,
            onStep: (next) => this.#announce(next),
            onProblem: (problem) => this.#report(problem),
        });
        this.view = new BoardView(this.played);
        this.strip = new TurnStrip(this.played, () => this.pace);
        this.speech = new Speech(this.played, this.view, this.strip);
        this.guidance = new Guidance(this.played, () => this.opponent);
        $effect(() => {
            untrack(() => {
                this.table?.start();
                this.played.start(step ?? (replay ? 0 : null));
            });
            return () => {
                this.played.stop();
                this.table?.stop();
                this.#refusal.clear();
            };
        });
        this.autoplay = new Autoplay(this.played, replay, this);
        this.#followSettings();
        this.#followGame();
        this.online = new OnlineParts(this);
    }

    // --- Commands -------------------------------------------------------------------------------------------------

    readonly tap = (pick: string): void => {
        this.#refusal.clear();
        this.guidance.help?.act();
        if (this.played.playback.rerunning) return this.strip.clear(); // the board shows an earlier moment
        this.strip.clear();
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
        if (this.played.tap(pick) !== "refused") return;
        const card = hasCard(pick, moment);
        if (card) this.inspector.pin(pick);
        // A tap on a megalith, or out of turn, only opens the card.
        const isTile = pick.startsWith("tile:") && pick !== "tile:transformation";
        const tries = this.played.open && (selection.picks.length > 0 || isTile);
        if (!card || tries) this.#refusal.show(refusalSentence(refused));
    };

    readonly cancel = (): void => {
        this.#refusal.clear();
        this.guidance.help?.clear();
        this.strip.clear();
        this.inspector.close();
        this.played.selection.reset();
    };

    readonly undo = (scope: "step" | "turn"): void => {
        const can = this.played.sync.undoable[scope];
        if (can !== true) this.#refusal.show(undoRefusal(can));
        else void this.played.undo(scope);
    };

    /** Ask for a hint, or hide it. */
    readonly hint = (): void => {
        this.#refusal.clear();
        this.strip.clear();
        void this.guidance.help?.askHint();
    };

    /** Show or hide the opponent's threats. */
    readonly threats = (): void => {
        this.#refusal.clear();
        this.strip.clear();
        this.guidance.help?.toggleThreats();
    };

    readonly flip = (): void => {
        this.#flipped = !this.#flipped;
    };

    readonly goTo = (count: number): void => {
        this.strip.clear();
        this.played.goTo(count);
    };

    /** Review the game from the start. */
    readonly reviewGame = (): void => {
        this.endClosed = true;
        this.played.goTo(0);
    };

    readonly showEnd = (): void => {
        this.endClosed = false;
        this.played.goLive();
    };

    /** Start another game on this screen, against the same level or the next one. */
    readonly begin = async (request: NewGame): Promise<void> => {
        if (this.restarting) return;
        this.restarting = true;
        try {
            navigate(`/game/${await createGame(request)}`);
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
        // During the victory animation, no key may change the game.
        if (this.guidance.celebrates) {
            if (isSkipKey(event)) this.#skipVictory(event);
            return;
        }
        const command = keyCommand(event, this.inspector.byPointer, settings.shortcuts);
        if (command === "board" || isFocusKey(event)) this.inspector.key();
        if (!command || !this.played.game) return;
        event.preventDefault();
        if (command !== "cancel") event.stopPropagation(); // Escape also closes a tip
        if (command === "board") toBoard();
        else this.#commands[command]();
    }

    readonly #commands: Record<Exclude<KeyCommand, "board">, () => void> = {
        undo: () => this.undo("step"),
        undoTurn: () => this.undo("turn"),
        confirm: () => void this.played.confirm(),
        keep: () => this.#keep(),
        again: () => void this.strip.again(),
        flip: this.flip,
        hint: () => this.hint(),
        threats: () => this.threats(),
        help: () => (this.sheet = "keys"),
        cancel: this.cancel,
        previous: () => this.goTo(this.played.stepIndex - 1),
        next: () => this.goTo(this.played.stepIndex + 1),
        first: () => this.goTo(0),
        last: () => (this.isOver ? this.goTo(this.played.sync.steps.length) : this.played.goLive()),
    };

    #skipVictory(event: KeyboardEvent): void {
        event.preventDefault();
        event.stopPropagation();
        this.guidance.celebrated();
    }

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

    // --- Reactions to state changes -------------------------------------------------------------------------------

    #announce(step: Step): void {
        this.speech.announce(step);
        const ended = step.effects.find((effect) => effect.kind === "ended");
        if (ended?.winner && (this.pace > 0 || prefersStill())) this.guidance.celebrate(ended.winner);
        if (ended) sound(endSound(ended.winner, this.played.sync.mine));
        else if (this.pace === 0) sound(step.effects.map(soundOf).find((name) => name !== null) ?? "step");
    }

    #explain(): Explanation | null {
        const { sync, playback, isLive, open, stepIndex } = this.played;
        const { subject } = this.inspector;
        if (!subject || !playback.scene || !this.cards) return null;
        const last = stepIndex === sync.steps.length;
        const draws = last && this.isOver ? "over" : last && sync.moment?.held ? "confirmed" : "next";
        const found = this.cards.explain(subject, playback.scene, open && isLive ? sync.moment : null, {
            draws,
            picks: this.played.selection.picks,
        });
        return found.art || found.lines.length > 0 || found.now ? found : null;
    }

    /** The accessible name of something on the table. */
    readonly label = (subject: string): string => {
        const { scene } = this.played.playback;
        return scene ? label(subject, scene) : "";
    };

    #followSettings(): void {
        // Put the player's tribe at the bottom. With two players and a rotating board, put the active tribe there.
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
            const text = explanation && !this.inspector.byPointer ? this.cards?.explanationText(explanation) : "";
            if (!text) {
                this.spoken = "";
                return;
            }
            const timer = setTimeout(() => (this.spoken = text), SPEAK_AFTER);
            return () => clearTimeout(timer);
        });
    }

    #followGame(): void {
        // Clear the refusal when the game moves on, because it no longer applies.
        $effect(() => {
            void this.played.sync.steps.length;
            untrack(() => this.#refusal.clear());
        });
        // A sheet or a review replaces the step that was being looked at.
        $effect(() => {
            if (this.sheet) untrack(() => this.strip.clear());
        });
        // A sheet must not cover the result.
        $effect(() => {
            if (this.isOver) this.sheet = null;
        });
        callOnTurn(this.played, () => ({ online: this.mine !== null, computer: this.opponent !== null }));
        const visible = $derived(this.played.playback.scene !== null);
        $effect(() => {
            if (!visible) return;
            import("../cards/cardsChunk").then((cards) => (this.cards = cards), reportProblem);
            import("./panelChunk").then((panel) => (this.panel = panel), reportProblem);
        });
    }
}
