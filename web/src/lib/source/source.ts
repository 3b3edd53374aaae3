/**
 * The interface through which pages follow a game and send commands. It is the same whether the authority is a server
 * or this device.
 */
import type { ApiProblem, GameView, TribeName } from "../client";
import type { ChatLine, PhraseName } from "../online";

/**
 * `limited`: the game can be played, but changes arrive with a delay. `following`: the game is on this device, and
 * another tab is playing it. `watching`: the game comes from a link and cannot be played. `unkept`: the game can be
 * played, but the browser does not allow us to store it.
 */
export type ConnectionState = "connecting" | "connected" | "limited" | "lost" | "following" | "watching" | "unkept";

/** A page that follows a game. */
export interface GameFollower {
    /** Called first with the current game, and then after every change, in the authority's order. */
    game: (game: GameView) => void;
    connection: (state: ConnectionState) => void;
    /** Called if the game cannot be followed, for instance because it does not exist. This is the last call. */
    problem: (problem: ApiProblem) => void;
    /** Called if an action that the page had not requested fails, such as storing the computer's token. */
    failed: (problem: unknown) => void;
}

export interface TokenToPlay {
    /** An idempotency key chosen by the page. The authority plays the token once, however often it receives this id. */
    id: string;
    token: string;
    tribe: TribeName;
    /** The revision that the player saw. */
    revision: number;
    /** Whether a finished turn has to be confirmed. */
    hold: boolean;
}

/**
 * The promise returned by a command resolves when the follower has received the result. A lost connection only delays
 * this. The promise rejects with an {@link ApiProblem} if the authority refuses the command.
 */
export interface GameSource {
    readonly id: string;
    /** Follow the game until the returned function is called. */
    follow: (follower: GameFollower) => () => void;
    play: (token: TokenToPlay) => Promise<void>;
    undo: (revision: number, scope: "step" | "turn") => Promise<void>;
    confirm: (revision: number) => Promise<void>;
    /** Fetch the game from the authority. Resolves when the follower has received it. */
    refresh: () => Promise<void>;
    /** The record of the game. */
    record: () => Promise<string>;
    /** Let this tab play instead of the one that is playing now; `null` for server games, which any tab can play. */
    readonly takeOver: (() => void) | null;
    /** The channel between players on different devices; `null` if all players are on this device. */
    readonly table: TableChannel | null;
}

/** An event that concerns the players or spectators and not the game itself. */
export type TableEvent =
    /** Which players are present, and how many people are watching; `watchers` is missing if this is unknown. */
    | { type: "presence"; forest: boolean; sea: boolean; watchers?: number | null }
    | { type: "chat"; line: ChatLine }
    | { type: "rematch"; challenge: string; by: TribeName }
    /** The round-trip time, in milliseconds. */
    | { type: "lag"; lag: number }
    /** A connection is open. Earlier messages may have been missed. */
    | { type: "connected" };

/** An estimate of the authority's clock. */
export interface AuthorityClock {
    /** The time in milliseconds. */
    now: () => number;
}

export interface TableChannel {
    readonly clock: AuthorityClock;
    listen: (listener: (event: TableEvent) => void) => () => void;
    offer: (what: "draw" | "takeback", scope?: "step" | "turn") => Promise<void>;
    answer: (answer: "accept" | "decline" | "withdraw") => Promise<void>;
    resign: () => Promise<void>;
    /** Reveal a link, in a game with sealed draws. */
    reveal: (link: string) => Promise<void>;
    /** Claim the win in a game that the other player has left. */
    claim: () => Promise<void>;
    say: (words: { text: string } | { phrase: PhraseName }) => Promise<void>;
    /** All chat lines so far. */
    chat: () => Promise<readonly ChatLine[]>;
    /** Report a player to the administrators. */
    report: (about: TribeName | null, text: string) => Promise<void>;
}
