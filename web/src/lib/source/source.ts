/**
 * Where a game comes from. Pages follow a game and send commands through this interface. They do not know where the
 * authority is: a server, or a log on this device.
 */
import type { ApiProblem, GameView, TribeName } from "../client";
import type { ChatLine, PhraseName } from "../online";

/**
 * `limited`: the game can be played, but changes arrive with a delay. `following`: another tab plays this game, which is
 * on this device. `unkept`: it can be played, but the browser does not let us store it.
 */
export type ConnectionState = "connecting" | "connected" | "limited" | "lost" | "following" | "unkept";

/** A page that follows a game. */
export interface GameFollower {
    /** Called with the current game at first and after every change, in the authority's order. */
    game: (game: GameView) => void;
    connection: (state: ConnectionState) => void;
    /** Called if the game cannot be followed, for instance because it does not exist. No other call follows. */
    problem: (problem: ApiProblem) => void;
    /** Called if something fails that the page did not ask for, such as storing the computer's token. */
    failed: (problem: unknown) => void;
}

export interface TokenToPlay {
    /** An idempotency key chosen by the page: the authority plays a token once, however often it receives this id. */
    id: string;
    token: string;
    tribe: TribeName;
    /** The revision that the player saw. */
    revision: number;
    /** Whether a finished turn waits to be confirmed. */
    hold: boolean;
}

/**
 * A command's promise resolves when the follower has the game that shows its result. A lost connection only delays it.
 * It rejects with an {@link ApiProblem} if the authority refuses.
 */
export interface GameSource {
    readonly id: string;
    /** Follow the game until the returned function is called. */
    follow: (follower: GameFollower) => () => void;
    play: (token: TokenToPlay) => Promise<void>;
    undo: (revision: number, scope: "step" | "turn") => Promise<void>;
    confirm: (revision: number) => Promise<void>;
    /** Fetch the game from the authority. Resolves when the follower has it. */
    refresh: () => Promise<void>;
    /** The record of the game. */
    record: () => Promise<string>;
    /** Play here instead of in the tab that plays now; `null` if the game is on a server, where any number of tabs may. */
    readonly takeOver: (() => void) | null;
    /** The channel between players in different places; `null` if the source has no such players. */
    readonly table: TableChannel | null;
}

/** An event at a table, apart from the game itself. */
export type TableEvent =
    /** Who is at the table. `watchers` is missing if only the players are known. */
    | { type: "presence"; forest: boolean; sea: boolean; watchers?: number | null }
    | { type: "chat"; line: ChatLine }
    | { type: "rematch"; challenge: string; by: TribeName }
    /** The round-trip time, in milliseconds. */
    | { type: "lag"; lag: number }
    /** A connection is open. Earlier messages may have been missed. */
    | { type: "connected" };

/** The authority's clock, as accurately as it is known here. */
export interface AuthorityClock {
    /** In milliseconds. */
    now: () => number;
}

export interface TableChannel {
    readonly clock: AuthorityClock;
    listen: (listener: (event: TableEvent) => void) => () => void;
    offer: (what: "draw" | "takeback", scope?: "step" | "turn") => Promise<void>;
    answer: (answer: "accept" | "decline" | "withdraw") => Promise<void>;
    resign: () => Promise<void>;
    /** Claim the win in a game that the other player has left. */
    claim: () => Promise<void>;
    say: (words: { text: string } | { phrase: PhraseName }) => Promise<void>;
    /** All chat lines so far. */
    chat: () => Promise<readonly ChatLine[]>;
    /** Report a player to the administrators. */
    report: (about: TribeName | null, text: string) => Promise<void>;
}
