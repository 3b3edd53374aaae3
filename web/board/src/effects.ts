/**
 * The changes that a spectator sees, one at a time: the `effects` of a step in the web API. The package has its own
 * types, so that a page can use the board without the API.
 */
import type { TileName, Tribe } from "./position";

/** The code of the megalith whose power caused the effect. */
interface Power {
    readonly power: string;
}

interface PowerIfAny {
    readonly power?: string | null;
}

/** How a shaman moves: a step to a neighbouring space, a jump over a neighbour, or a move caused by a power. */
export type Way = "step" | "jump" | "power";

interface Added extends PowerIfAny {
    readonly kind: "added";
    readonly tribe: Tribe;
    readonly space: string;
}

interface Moved extends PowerIfAny {
    readonly kind: "moved";
    readonly tribe: Tribe;
    readonly origin: string;
    readonly target: string;
    readonly way: Way;
    /** The space jumped over. */
    readonly over?: string | null;
}

/** A direction off the field, as on a map: Sea's village is in the north, column a in the west. */
export type Direction = "n" | "ne" | "nw" | "s" | "se" | "sw";

interface Left extends PowerIfAny {
    readonly kind: "left";
    readonly tribe: Tribe;
    readonly origin: string;
    readonly way: Way;
    /** The space jumped over. */
    readonly over?: string | null;
    /** If missing, the shaman goes straight ahead. */
    readonly direction?: Direction | null;
}

interface Banished extends PowerIfAny {
    readonly kind: "banished";
    readonly tribe: Tribe;
    readonly space: string;
}

interface Swapped extends Power {
    readonly kind: "shamans-swapped" | "megaliths-swapped";
    readonly first: string;
    readonly second: string;
}

interface Flipped extends PowerIfAny {
    readonly kind: "flipped";
    readonly tile: TileName;
    readonly face: string;
}

interface Activated {
    readonly kind: "activated";
    readonly code: string;
    readonly space: string;
    readonly tribe: Tribe;
    readonly result: "choice" | "done" | "nothing";
}

interface CopiedOrStopped {
    readonly kind: "copied" | "stopped";
    readonly code: string;
}

interface ExtraTurn extends Power {
    readonly kind: "extra-turn";
    readonly tribe: Tribe;
}

interface MegalithMoved extends Power {
    readonly kind: "megalith-moved";
    readonly code: string;
    readonly origin: string;
    readonly target: string;
}

interface Replaced extends Power {
    readonly kind: "replaced";
    readonly space: string;
    readonly slot: number;
    readonly old: string;
    readonly new: string;
}

interface Built extends PowerIfAny {
    readonly kind: "built";
    readonly tribe: Tribe;
    readonly space: string;
    /** `null` when both slots were empty and nothing was placed (E5). */
    readonly code: string | null;
    readonly slot: number | null;
    /** The tribe's score afterwards; `null` if the tribe does not score. */
    readonly score: number | null;
}

interface NothingBuilt {
    readonly kind: "nothing-built";
    readonly tribe: Tribe;
    readonly space: string;
}

interface Transformed {
    readonly kind: "transformed";
    readonly tribe: Tribe;
    readonly space: string;
    /** The ends of the line of three. */
    readonly start: string;
    readonly end: string;
}

interface Drawn {
    readonly kind: "drawn";
    readonly code: string;
    readonly slot: number;
}

interface Passed {
    readonly kind: "passed";
    readonly tribe: Tribe;
}

interface Ended {
    readonly kind: "ended";
    readonly reason: string;
    readonly winner: Tribe | null;
}

/** One change that a spectator sees. */
export type Effect =
    | Added
    | Moved
    | Left
    | Banished
    | Swapped
    | Flipped
    | Activated
    | CopiedOrStopped
    | ExtraTurn
    | MegalithMoved
    | Replaced
    | Built
    | NothingBuilt
    | Transformed
    | Drawn
    | Passed
    | Ended;
