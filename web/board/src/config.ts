/** The configuration of a mounted board. README.md describes every field. */
import type { Effect } from "./effects";
import type { Aim, Tag } from "./marks";
import type { PickProps } from "./picker.svelte";
import type { Pace } from "./playback";
import type { Table, Tribe } from "./position";
import type { Shape } from "./shapes";

export interface Config extends Partial<PickProps> {
    /** The table to draw: a position text, or a parsed position. */
    position: string | Table;
    /** The tribe at the bottom of the board. */
    orientation?: Tribe;
    /** Show the tiles, the upcoming megaliths and the deck next to the board. */
    tiles?: boolean;
    /** The effects of the last turn; the board marks them with arrows and numbers. */
    lastTurn?: readonly Effect[];
    /** The number of the step to emphasise in the last turn. */
    step?: number | null;
    /** The space of the power being applied. */
    focus?: string | null;
    /** Which piece a pick refers to if its space holds both a shaman and a megalith. */
    aim?: Aim;
    /** The signs next to the targets, by pick: the tiles that lead there, and a note. */
    tags?: Readonly<Record<string, Tag>>;
    coordinates?: boolean;
    /** Arrows, circles and numbers on the board. */
    shapes?: readonly Shape[];
    /** Called when the deck is tapped. */
    ondeck?: () => void;
}

/** A mounted board. */
export interface BoardApi {
    /** Change some of the configuration. A new position cancels playback; pieces glide to their places. */
    set(config: Partial<Config>): void;
    /**
     * Play effects one after another. Resolves to `true` at the end, or to `false` if a later `play`, a new position or
     * `destroy` cancels them. `pace` defaults to the configured pace.
     */
    play(effects: readonly Effect[], pace?: Pace): Promise<boolean>;
    /** Show the remaining effects without waiting. */
    skip(): void;
    /** The current table. */
    readonly table: Table;
    /** Remove the board from the page. */
    destroy(): void;
}
