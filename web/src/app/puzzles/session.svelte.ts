/** An attempt at a puzzle: what has been found so far, and what to say about it. */
import { untrack } from "svelte";

import { t } from "../../lib/i18n";
import { reportProblem } from "../../lib/problems";
import { sound } from "../../lib/sound";
import { Exercise } from "../exercise/exercise.svelte";
import { nextPickTo } from "../exercise/picks";
import type { Puzzle } from "./puzzle";
import { PuzzleSource, type PuzzleCore, type PuzzleState, type Refutation } from "./puzzleSource";

export interface PuzzleOptions {
    puzzle: Puzzle;
    core: PuzzleCore;
    /** Called once the first attempt is decided, with whether it was right and without help. */
    onAttempt: (solved: boolean) => void;
    /** Called whenever the puzzle is solved. */
    onSolved: () => void;
}

export class PuzzleSession {
    readonly puzzle: Puzzle;
    readonly exercise: Exercise;
    readonly #source: PuzzleSource;
    readonly #onAttempt: PuzzleOptions["onAttempt"];

    state = $state<PuzzleState>("open");
    #refutation = $state.raw<Refutation | null>(null);
    /** How many tokens have been played since the start. */
    count = $state(0);
    /** The token that the hint points to. */
    #hint = $state<string | null>(null);
    #attempted = false;
    #closed = false;

    /** Whether the board shows all that has happened. */
    readonly settled: boolean = $derived.by(() => this.exercise.played.playback.caughtUp);
    readonly goal: string = $derived.by(() => {
        const { goal, plays, turns } = this.puzzle;
        return t(`puzzles.goal.${goal}`, { tribe: plays, turns });
    });
    /** What to do now, or the event that is being shown. */
    readonly sentence: string = $derived.by(() => {
        // The goal is written above, so that there is room for the question that the game would ask.
        const isNew = this.state === "open" && this.count === 0 && this.#pick === null;
        return isNew || this.exercise.view.running ? this.exercise.speech.text : this.#now;
    });
    /** The sentence for screen readers, with the question that the game would ask. Events are announced in the log. */
    readonly asked: string = $derived.by(() => {
        if (this.exercise.view.running) return "";
        return this.state === "open" ? `${this.#now} ${this.exercise.speech.asked}` : this.#now;
    });
    /** The picks to mark. */
    readonly targets: ReadonlySet<string> = $derived.by(() =>
        this.#pick === null ? this.exercise.view.targets : new Set([this.#pick]),
    );

    /** The pick that the hint points to now. */
    readonly #pick: string | null = $derived.by(() => {
        const { sync, selection } = this.exercise.played;
        if (!sync.moment || this.#hint === null || this.exercise.view.targets.size === 0) return null;
        return nextPickTo(this.#hint, sync.moment.choices, selection.picks);
    });

    readonly #now: string = $derived.by(() => {
        const { goal, plays, turns, chance = "" } = this.puzzle;
        const params = { tribe: plays, turns };
        if (this.state === "shown") return t("puzzles.shown");
        if (this.state === "solved") return t(`puzzles.solved.${goal}`, { ...params, chance: percent(chance) });
        if (this.#refutation) {
            const { reason } = this.#refutation;
            const tried = reason === "odds" ? percent(this.#refutation.chance.join("/")) : "";
            return t(`puzzles.refuted.${reason}`, { ...params, chance: tried });
        }
        if (this.#pick !== null) return t("puzzles.hinted", { pick: this.#nameOf(this.#pick) });
        if (this.count === 0) return this.goal;
        return t(this.exercise.played.sync.moment?.phase === "action" ? "puzzles.right" : "puzzles.continue");
    });

    /** Create this during component initialisation; it is destroyed with the component. */
    constructor({ puzzle, core, onAttempt, onSolved }: PuzzleOptions) {
        this.puzzle = puzzle;
        this.#onAttempt = onAttempt;
        this.#source = new PuzzleSource(puzzle, core, {
            changed: (state, count, refutation) => {
                this.state = state;
                this.count = count;
                this.#refutation = refutation;
                this.#hint = null;
                if (state === "solved") onSolved();
                if (state === "solved" || state === "refuted") this.#attempt(state === "solved");
            },
        });
        this.exercise = new Exercise({
            source: this.#source,
            closed: () => this.state !== "open",
            onPick: () => undefined,
        });
        $effect(() => () => {
            this.#closed = true;
        });
        $effect(() => {
            if (this.state === "solved" && this.settled) untrack(() => sound("win"));
        });
    }

    readonly restart = (): void => void this.#source.restart().catch(this.#fail);

    /** Mark the next right pick. The puzzle then no longer counts as solved at the first attempt. */
    readonly help = (): void => {
        this.#attempt(false);
        this.exercise.cancel();
        void this.#source.hint().then((token) => {
            if (token === undefined) return;
            this.#hint = token;
            if (token !== null) return;
            this.#refutation = { reason: "nothing" };
            this.state = "refuted";
        }, this.#fail);
    };

    readonly solve = (): void => {
        this.#attempt(false);
        void this.#source.solve().catch(this.#fail);
    };

    /** Report a failure, unless the player has left the puzzle. */
    readonly #fail = (problem: unknown): void => {
        if (!this.#closed) reportProblem(problem);
    };

    #nameOf(pick: string): string {
        if (pick === "button:pass") return t("play.pass");
        if (pick === "button:stop") return t("play.stop");
        return this.exercise.label(pick);
    }

    #attempt(solved: boolean): void {
        if (this.#attempted) return;
        this.#attempted = true;
        this.#onAttempt(solved);
    }
}

/** A fraction and its percentage, as in "2/9 (22 %)". */
function percent(fraction: string): string {
    const [numerator = 0, denominator = 1] = fraction.split("/").map(Number);
    return `${fraction} (${Math.round((100 * numerator) / denominator)}\u00a0%)`;
}
