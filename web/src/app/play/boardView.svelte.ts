/** Computes what the board shows: the possible picks, the effects of the last turn, and the space in focus. */
import type { Shape, Tag } from "@cairn/board";
import { isSpace, type TileName } from "@cairn/board/position";

import type { Effect, Step } from "../../lib/client";
import { nextPicks, openPicks, reachable } from "../../lib/picking";
import { linesOf, tagsOf } from "../sentences/consequences";
import { lastTurns } from "../sentences/narration";
import type { PlayedGame } from "./playedGame.svelte";

/** Whether a tile is flipped by an action. A transformation is only an opportunity. */
function isActionTile(tile: TileName): boolean {
    return tile !== "transformation";
}

export class BoardView {
    readonly #played: PlayedGame;

    /** The current choices of the players at this screen. */
    readonly #choices = $derived.by(() => (this.#played.open && this.#played.sync.moment?.choices) || []);
    /** Picks that continue the selection; they are marked. */
    readonly targets: ReadonlySet<string> = $derived.by(() => {
        const { sync, selection, playback } = this.#played;
        const next = [...nextPicks(this.#choices, selection.picks).keys()];
        // At the start of an action, mark only shamans. Marking everything would cover the whole board.
        const shamans = next.filter((pick) => isSpace(pick) && playback.scene?.shamans[pick]);
        const isStart = sync.moment?.phase === "action" && selection.picks.length === 0;
        return new Set(isStart && shamans.length > 0 ? shamans : next);
    });
    /** Picks that would replace part of the selection, such as another shaman; they are not marked. */
    readonly alternatives: ReadonlySet<string> = $derived.by(() =>
        openPicks(this.#choices, this.#played.selection.picks),
    );
    /** The tile that each target uses, and a note about what the pick would do. */
    readonly tags: Readonly<Record<string, Tag>> = $derived.by(() => {
        const { open, sync, selection } = this.#played;
        return open && sync.moment ? tagsOf(sync.moment, selection.picks) : {};
    });
    /** The tiles that the selection may use. They show the face that the opponent will get. */
    readonly foretold: ReadonlySet<TileName> = $derived.by(
        () => new Set(Object.values(this.tags).flatMap(({ tiles = [] }) => tiles.filter(isActionTile))),
    );
    /** The lines of three that can be transformed. */
    readonly lines: readonly Shape[] = $derived.by(() => {
        const { open, sync } = this.#played;
        return open && sync.moment ? linesOf(sync.moment) : [];
    });
    /** Whether a pick on a space with a shaman and a megalith refers to the shaman or the megalith. */
    readonly aim = $derived.by(() => reachable(this.#choices, this.#played.selection.picks)[0]?.aim ?? "shaman");
    /** The space that the current decision is about. */
    readonly focus = $derived.by(() => (this.#played.isLive ? (this.#played.sync.moment?.focus ?? null) : null));
    /** Whether new steps are still being shown. */
    readonly running: boolean = $derived.by(() => !this.#played.playback.caughtUp && !this.#played.review.active);
    /** The steps that have been shown, so that the list of moves does not run ahead of the board. */
    readonly stepsShown: Step[] = $derived.by(() => {
        const { review, sync, stepIndex } = this.#played;
        return review.active ? sync.steps : sync.steps.slice(0, stepIndex);
    });
    readonly turn: number = $derived.by(() => {
        const { isLive, sync, step } = this.#played;
        return (isLive ? sync.moment?.turn : step?.turn) ?? 1;
    });
    /** The effects of the last turn shown, and of any turn that the same tribe took right before it. */
    readonly lastTurn: Effect[] = $derived.by(() => {
        const { sync, stepIndex, playback, step } = this.#played;
        return lastTurns(sync.steps.slice(0, stepIndex)).flatMap((each) =>
            playback.effect && !playback.rerunning && each === step
                ? each.effects.slice(0, playback.effectIndex)
                : each.effects,
        );
    });
    /** The effects of the last turn shown, without any turn before it. */
    readonly thisTurn: Effect[] = $derived.by(() => {
        const { sync, stepIndex } = this.#played;
        const steps = sync.steps.slice(0, stepIndex);
        return steps.filter(({ turn }) => turn === steps.at(-1)?.turn).flatMap(({ effects }) => effects);
    });
    /** The tiles turned over in the last turn. */
    readonly turned = $derived.by(() =>
        this.lastTurn.flatMap((effect) => (effect.kind === "flipped" ? [effect.tile] : [])),
    );
    /** The slots filled in the last turn. */
    readonly drawn = $derived.by(() =>
        this.lastTurn.flatMap((effect) => (effect.kind === "drawn" ? [effect.slot] : [])),
    );

    constructor(played: PlayedGame) {
        this.#played = played;
    }
}
