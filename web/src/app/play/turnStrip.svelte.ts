/** The state of the turn strip: the numbered steps of a turn, the selected step, and reruns on the board. */
import type { Effect } from "@cairn/board/effects";
import { stepsOfTurn, type TurnStep } from "@cairn/board/turn";

import type { Step, TribeName } from "../../lib/client";
import { lastTurns } from "../sentences/narration";
import { turnStepSentence } from "../sentences/turnSteps";
import type { PlayedGame } from "./playedGame.svelte";

/** The last turn of a tribe, and any turn that the same tribe took right before it. */
interface ShownTurn {
    tribe: TribeName;
    /** How many steps of the game came before it. */
    start: number;
    effects: Effect[];
    steps: TurnStep[];
}

export class TurnStrip {
    readonly #played: PlayedGame;
    readonly #pace: () => number;
    /** The step count at which the player asked for the turn before the last one. */
    #earlierAt = $state<number | null>(null);
    /** The selected step: where its turn starts, and its number in that turn. */
    #chosen = $state.raw<{ start: number; number: number } | null>(null);

    /** Whether the strip shows the turn before the last one. */
    readonly isEarlier: boolean = $derived.by(() => this.#earlierAt === this.#played.stepIndex && Boolean(this.other));
    /** The turn that the strip shows; `null` before the first turn. */
    readonly turn: ShownTurn | null = $derived.by(() => {
        const last = lastTurns(this.#steps);
        return this.isEarlier ? this.#shown(lastTurns(this.#steps.slice(0, -last.length))) : this.#shown(last);
    });
    /** The tribe of the other turn that the strip can show, if there is one. */
    readonly other: TribeName | null = $derived.by(() => {
        const steps = this.#steps;
        const tribe = steps.at(-1)?.active;
        const before = steps.findLast((step) => step.active !== tribe)?.active;
        return (this.#earlierAt === this.#played.stepIndex ? tribe : before) ?? null;
    });
    /** The number of the selected step. */
    readonly current: number | null = $derived.by(() =>
        this.#chosen && this.#chosen.start === this.turn?.start ? this.#chosen.number : null,
    );
    /** The sentence about the selected step. */
    readonly sentence: string | null = $derived.by(() => {
        const steps = this.turn?.steps ?? [];
        const step = steps.find(({ number }) => number === this.current);
        return step ? turnStepSentence(step, steps) : null;
    });
    /** The effects to mark on the board. An effect is marked when it has been shown; a line of three, while it is. */
    readonly marks: Effect[] = $derived.by(() => {
        const { turn, current } = this;
        const { playback } = this.#played;
        if (!turn) return [];
        if (playback.rerunning) {
            const step = turn.steps.find(({ number }) => number === current);
            return turn.effects.slice(0, step ? step.start + step.effects.length : 0);
        }
        const isShowing = playback.effect && playback.effect.kind !== "transformed" && !this.isEarlier;
        return isShowing ? turn.effects.slice(0, -1) : turn.effects;
    });

    constructor(played: PlayedGame, pace: () => number) {
        this.#played = played;
        this.#pace = pace;
    }

    get #steps(): Step[] {
        return this.#played.sync.steps.slice(0, this.#played.stepIndex);
    }

    /** The steps of a turn, up to the effect that the board is showing. */
    #shown(steps: readonly Step[]): ShownTurn | null {
        const { sync, playback, step: shown } = this.#played;
        const [first] = steps;
        if (!first) return null;
        const effects = steps.flatMap((step) =>
            playback.effect && !playback.rerunning && step === shown
                ? step.effects.slice(0, playback.effectIndex + 1)
                : step.effects,
        );
        return { tribe: first.active, start: sync.steps.indexOf(first), effects, steps: stepsOfTurn(effects) };
    }

    /** Show the other turn. */
    readonly toggle = (): void => {
        this.clear();
        this.#earlierAt = this.isEarlier ? null : this.#played.stepIndex;
    };

    /** Select a step: show it again on the board, and show its sentence until the player does something else. */
    readonly look = (number: number): void => {
        const again = this.current === number && !this.#played.playback.rerunning;
        this.clear();
        if (!again) void this.#rerun(this.turn?.steps.filter((step) => step.number === number) ?? []);
    };

    /** Show the whole turn again. A second call stops it. */
    readonly again = async (): Promise<void> => {
        const running = this.#played.playback.rerunning;
        this.clear();
        if (!running && (await this.#rerun(this.turn?.steps ?? []))) this.#chosen = null;
    };

    /** Clear the selection and stop any rerun. */
    clear(): void {
        this.#played.stopRerun();
        this.#chosen = null;
    }

    async #rerun(steps: readonly TurnStep[]): Promise<boolean> {
        const { turn } = this;
        const [first] = steps;
        if (!turn || !first) return false;
        const { start } = turn;
        const choose = (index: number) => {
            this.#chosen = { start, number: (steps[index] ?? first).number };
        };
        choose(0);
        // Without animation, the marks on the board and the sentence are enough.
        if (this.#pace() === 0) return false;
        return this.#played.rerun({
            position: this.#played.sync.positionAt(start),
            before: turn.effects.slice(0, first.start),
            parts: steps.map(({ effects }) => effects),
            onPart: choose,
        });
    }
}
