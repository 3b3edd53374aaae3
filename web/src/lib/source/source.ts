/**
 * Where a game comes from. Pages follow a game and send commands through this interface. They do not know where the
 * authority is: a server, or a log on this device.
 */
import type { ApiProblem, GameView, TribeName } from "../client";
import type { ChatLine, PhraseName } from "../online";

/** `limited`: the game can be played, but changes arrive with a delay. */
export type ConnectionState = "connecting" | "connected" | "limited" | "lost";

/** A page that follows a game. */
export interface GameFollower {
    /** The game as it stands now: at first, and after every change. The order is the authority's. */
    game: (game: GameView) => void;
    connection: (state: ConnectionState) => void;
    /** The game cannot be followed, for instance because it does not exist. Nothing else follows. */
    problem: (problem: ApiProblem) => void;
}

export interface TokenToPlay {
    /** Chosen by the page. The authority plays a token once, however often it receives the same id. */
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
 * It is rejected with an {@link ApiProblem} when the authority refuses.
 */
export interface GameSource {
    readonly id: string;
    /** Follow the game until the returned function is called. */
    follow: (follower: GameFollower) => () => void;
    play: (token: TokenToPlay) => Promise<void>;
    undo: (revision: number, scope: "step" | "turn") => Promise<void>;
    confirm: (revision: number) => Promise<void>;
    /** Ask the authority for the game. Resolves when the follower has it. */
    refresh: () => Promise<void>;
    /** What players in different places say and ask; `null` if the source has no such players. */
    readonly table: TableChannel | null;
}

/** What happens at a table apart from the game. */
export type TableEvent =
    /** Who is at the table. `watchers` is missing where only the players are known. */
    | { type: "presence"; forest: boolean; sea: boolean; watchers?: number | null }
    | { type: "chat"; line: ChatLine }
    | { type: "rematch"; challenge: string; by: TribeName }
    /** How long an answer takes, in milliseconds. */
    | { type: "lag"; lag: number }
    /** A connection is open. What was said before may have been missed. */
    | { type: "connected" };

/** The authority's clock, as well as it is known here. */
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
    /** Claim a game that the other player has left. */
    claim: () => Promise<void>;
    say: (words: { text: string } | { phrase: PhraseName }) => Promise<void>;
    /** Everything that has been said. */
    chat: () => Promise<readonly ChatLine[]>;
    /** Report a player to the administrators. */
    report: (about: TribeName | null, text: string) => Promise<void>;
}
