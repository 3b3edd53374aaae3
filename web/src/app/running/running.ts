/** Determines which running games the bar shows, and which of them are waiting for the visitor. */
import type { GameSummary } from "../../lib/client";
import { isOnDevice } from "../../lib/ids";
import { localStore, readJson, writeJson } from "../../lib/storage";

const OPENED = "cairn.opened";
const MOST_OPENED = 30;

/** The games on the server that this browser has opened, most recent last. */
export function openedGames(): readonly string[] {
    const found = readJson(localStore, OPENED);
    return Array.isArray(found) ? found.filter((id) => typeof id === "string") : [];
}

export function noteOpened(id: string): void {
    const others = openedGames().filter((each) => each !== id);
    writeJson(localStore, OPENED, [...others, id].slice(-MOST_OPENED));
}

/** How long a game without a remote player stays in the bar after its last move, in milliseconds. */
const RECENT = 3 * 24 * 3_600_000;

/** Whether another person plays the other tribe on another device. */
export function isOnline(game: Pick<GameSummary, "kind">): boolean {
    return game.kind === "online";
}

/** Whether a game is waiting for the visitor. With two people at one screen, it always is, so it does not count. */
export function isYourTurn({ decider, you, seats, kind }: GameSummary): boolean {
    if (decider === null || decider === "chance") return false;
    if (kind === "online") return you.includes(decider);
    return seats.forest.kind !== seats.sea.kind && seats[decider].kind === "person";
}

/**
 * The games in the bar: the visitor's online games, and other games that were played recently in this browser. Games in
 * which somebody is waiting for the visitor come first. `here` is the id of the game on the screen, which is omitted.
 * `opened` lists the games that this browser has opened; it is needed because a private server returns the games of the
 * whole household.
 */
export function gamesInBar(
    games: readonly GameSummary[],
    here: string | null,
    opened: readonly string[],
    now: number,
): GameSummary[] {
    const isHere = (id: string): boolean => isOnDevice(id) || opened.includes(id);
    const isRecent = ({ changed }: GameSummary): boolean => now - Date.parse(changed) < RECENT;
    const rank = (game: GameSummary): number => (isOnline(game) ? (isYourTurn(game) ? 0 : 1) : 2);
    return games
        .filter((game) => game.id !== here && game.outcome === null)
        .filter((game) => (isOnline(game) ? game.you.length > 0 : isHere(game.id) && isRecent(game)))
        .sort((one, other) => rank(one) - rank(other) || other.changed.localeCompare(one.changed));
}

/** The online games in which it has become the visitor's turn since the previous list. */
export function newTurns(before: readonly GameSummary[], now: readonly GameSummary[]): GameSummary[] {
    const waiting = new Set(before.filter(isYourTurn).map(({ id }) => id));
    const known = new Set(before.map(({ id }) => id));
    return now.filter((game) => isOnline(game) && isYourTurn(game) && known.has(game.id) && !waiting.has(game.id));
}
