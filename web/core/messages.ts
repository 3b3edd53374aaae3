/** The types of what the core is given and what it answers. The functions that native/wasm exports define them. */
import type { components } from "../src/lib/api";

export type TribeName = "forest" | "sea";
export type VariantName = "beginner" | "standard" | "expert";
export type ReasonName = "score" | "no-action" | "repetition" | "agreement" | "resignation" | "time" | "abandoned";

export interface Choice {
    token: string;
    tile: "add" | "move" | "jump" | null;
    paths: string[][];
    power: string | null;
    aim: "shaman" | "megalith";
}

export interface Outcome {
    /** `null` for a draw. */
    winner: TribeName | null;
    reason: ReasonName;
}

export interface Moment {
    position: string;
    phase: "action" | "build" | "draw" | "power" | "transform" | "over";
    decider: TribeName | "chance" | null;
    active: TribeName;
    power: string | null;
    focus: string | null;
    /** `null` while the game is in progress. */
    outcome: Outcome | null;
    /** Empty while chance decides and after the end of the game. */
    choices: Choice[];
}

export type Effect = { kind: string } & Record<string, string | number | null>;

/** An error in a text, as data. The kinds are the same as on the server; src/messages has the sentences for players. */
export interface Fault {
    kind: string;
    /** A field of the position, a header, or one of "token", "turn", "line", "byte", "note" and "result". */
    field: string;
    details: Record<string, string>;
}

export interface Faults {
    faults: Fault[];
}

export interface Played {
    effects: Effect[];
    moment: Moment;
}

export interface Note {
    /** The index of the token. */
    token: number;
    marks: number[];
    comments: string[];
}

export interface GameRecord {
    position: string;
    tokens: string[];
    /** The declared result, such as a resignation; `null` if the game is unfinished or was decided on the board. */
    declared: Outcome | null;
    headers: [name: string, value: string][];
    notes: Note[];
    moment: Moment;
}

export interface Line {
    /** Hundredths of a megalith, from the decider's point of view; 30,000 - n means a proven win in n turns. */
    score: number;
    tokens: string[];
}

export interface SearchState {
    /** Whether the search has ended. */
    done: boolean;
    depth: number;
    nodes: number;
    /** Best first; a level's decision is a single line. */
    lines: Line[];
}

/** The types of the server's messages. For local games, the core writes the same messages. */
export type Messages = components["schemas"];

/** An event in a local game's log. `kind` and `data` are the same as in the server's logs (game/events.py). */
export type LogEntry = { revision: number; at: string } & LogEvent;
export type LogEvent =
    | { kind: "token"; data: { token: string; hold: boolean; command?: string } }
    | { kind: "undo"; data: { tokens: number; command?: string } }
    | { kind: "confirm"; data: { command?: string } }
    | { kind: "end"; data: { winner: TribeName | null; reason: ReasonName; command?: string } };

/** A change to a local game: the entries to add to its log, and the update for its view. */
export interface Change {
    /** The core has no clock, so these entries do not have times yet. */
    entries: ({ revision: number } & LogEvent)[];
    update: Pick<Messages["Update"], "base" | "revision" | "kept" | "steps" | "now">;
    /** The computer's level if the computer has to decide now; otherwise 0. */
    level: number;
}

/** Why a command was refused. A refused command changes nothing. */
export interface Refusal {
    /** One of the server's problem kinds, such as `stale-revision`, or `damaged-log` if a log cannot be replayed. */
    kind: string;
    /** The tribe that has to decide or confirm first, if that is the reason. */
    tribe: TribeName | null;
    /** The faults in a position, a token or a record. */
    faults: Fault[];
    /** In a damaged log: the revision of the first entry that cannot be replayed. */
    entry?: number;
}

export interface Refused {
    refused: Refusal;
}

/** Why a decision was a mistake: an event that happens in one line of play and not in the other. */
export interface Claim {
    kind: "wins" | "scores" | "banishes" | "extra-turn" | "reaches" | "activates";
    tribe: TribeName;
    missed: boolean;
    /** The number of turns that end before the event. */
    turns: number;
    event: Effect;
    cause: Effect | null;
    contrast: "never" | "elsewhere" | "later";
}

/** A step of a reviewed game. Values are in millionths of a game. */
export interface ReviewedStep {
    token: string;
    turn: number;
    decider: TribeName | "chance";
    choices: number;
    search: number;
    loss: number;
    mark: "inaccuracy" | "mistake" | "blunder" | null;
    better: string[];
    refutation: string[];
    claim: Claim | null;
    /** For Forest. */
    luck: number;
    tiles: string[];
    tile_values: number[];
}

export interface ReviewedPlayer {
    decisions: number;
    total_loss: number;
    mean_loss: number;
    accuracy: number;
    level_by_loss: number;
    level_by_accuracy: number;
    inaccuracy: number;
    mistake: number;
    blunder: number;
}

/** docs/review.md defines the terms. */
export interface Review {
    result: number | null;
    adjusted_result: number | null;
    luck: number;
    search: number;
    ending: number;
    /** Forest's expectation at each moment. */
    values: number[];
    forest: ReviewedPlayer;
    sea: ReviewedPlayer;
    turning_points: number[];
    steps: ReviewedStep[];
}

export interface Retry {
    value: number;
    loss: number;
    good: boolean;
    reply: string[];
}

/** A game as passed to a search: a position and the tokens played since. The order of undrawn tiles is not included. */
export interface LineOfPlay {
    position: string;
    tokens: string[];
}

/** A moment of a puzzle: the line so far, and whose win within how many turns is in question. */
export interface PuzzleMoment extends LineOfPlay {
    /** The number of tokens that lead to the start of the puzzle. */
    before: number;
    attacker: TribeName;
    /** The number of turns at the start of the puzzle, counting the turn in which it begins. */
    turns: number;
}

/** What the decisions at a moment of a puzzle lead to, proven. */
export interface Judgement {
    decider: TribeName | "chance" | null;
    winner: TribeName | null;
    /** The number of turns left, counting the current one. */
    turns: number;
    /** Each legal token with the turns in which the attacker can force a win after it; 0 if it cannot do so in time. */
    tokens: { token: string; turns: number }[];
}

/** A legal token, the attacker's exact winning chance after it, and whether that chance is the best. */
export interface Odds {
    token: string;
    chance: [numerator: number, denominator: number];
    best: boolean;
}
