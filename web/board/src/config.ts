/** The configuration of a mounted board. README.md describes every field. */
import type { Effect } from "./effects";
import type { Aim } from "./marks";
import type { PickProps } from "./picker.svelte";
import type { Pace } from "./playback";
import type { Table, Tribe } from "./position";
import type { Shape } from "./shapes";

export interface Config extends Partial<PickProps> {
    /** What lies on the table: the text of a position, or a parsed one. */
    position: string | Table;
    /** The tribe that sits below. */
    orientation?: Tribe;
    /** Show the tiles, the upcoming megaliths and the deck beside the board. */
    tiles?: boolean;
    /** The effects of the last turn, which are marked. */
    lastTurn?: readonly Effect[];
    /** The space of the power that is being applied. */
    focus?: string | null;
    /** What a pick means where a shaman stands on a megalith. */
    aim?: Aim;
    coordinates?: boolean;
    /** Arrows, circles and numbers on the board. */
    shapes?: readonly Shape[];
    /** The deck was tapped. */
    ondeck?: () => void;
}

/** A mounted board. */
export interface BoardApi {
    /** Change some of the configuration. A new position replaces what is being played; pieces glide to their places. */
    set(config: Partial<Config>): void;
    /**
     * Show effects one after another. Resolves to `true` at the end, and to `false` when a later `play`, a new position
     * or `destroy` replaces them. `pace` is that of the configuration unless it is given.
     */
    play(effects: readonly Effect[], pace?: Pace): Promise<boolean>;
    /** Show the rest of what is being played without waiting. */
    skip(): void;
    /** What lies on the table now. */
    readonly table: Table;
    /** Remove the board from the page. */
    destroy(): void;
}
