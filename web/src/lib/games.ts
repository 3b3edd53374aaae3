/**
 * Creates and reads games on the server or on this device. New games are stored on the server while it is reachable. On
 * a static site, or while the server is unreachable, they are stored on this device.
 */
import { api, ApiProblem, type GameList, type GameSummary, type Line, type NewGame } from "./client";
import { connection } from "./connection.svelte";
import { hasHadDeviceGames } from "./deviceGames";
import { hasServer } from "./host";
import { isOnDevice, packedIn } from "./ids";
import { reportProblem } from "./problems";

type Device = typeof import("./device");

/** Load the code for games on this device. */
export const loadDevice = (): Promise<Device> => import("./device");

/** Call the server or, if there is none or it does not respond, this device. */
async function ask<Answer>(
    server: () => Promise<Answer>,
    device: (device: Device) => Promise<Answer>,
): Promise<Answer> {
    if (hasServer && !connection.lost) {
        try {
            return await server();
        } catch (problem) {
            if (!(problem instanceof ApiProblem) || problem.kind !== "offline") throw problem;
        }
    }
    return device(await loadDevice());
}

/** Create a game and return its id. */
export function createGame(game: NewGame): Promise<string> {
    return ask(
        async () => (await api.newGame(game)).id,
        (device) => device.createGame(game),
    );
}

/** Create a game from a record and return its id. */
export function importRecord(text: string): Promise<string> {
    return ask(
        async () => (await api.importRecord(text)).id,
        (device) => device.importRecord(text),
    );
}

/** Play tokens from a position and return the resulting line. */
export function lineOf(position: string, tokens: readonly string[] = []): Promise<Line> {
    return ask(
        () => api.line(position, tokens),
        (device) => device.line(position, tokens),
    );
}

/** The record of a game, wherever it is stored. A game on this device is only read, so other tabs may go on with it. */
export async function recordOf(id: string): Promise<string> {
    const packed = packedIn(id);
    if (packed !== null) return new (await import("./source/linked")).LinkedGameSource(id, packed).record();
    return isOnDevice(id) ? (await (await loadDevice()).record(id)).text : api.record(id);
}

/** The games on this device, most recently changed first. Rejects if they cannot be read. */
export async function deviceGames(): Promise<GameSummary[]> {
    return hasHadDeviceGames() ? (await loadDevice()).games() : [];
}

/**
 * The most recently changed unfinished game, on the server or on this device; `null` if there is none. If the games on
 * this device cannot be read, `report` is called, which shows a notice by default.
 */
export async function latestRunning(report: (problem: unknown) => void = reportProblem): Promise<GameSummary | null> {
    const onServer =
        hasServer && !connection.lost
            ? api.games({ state: "running", limit: 1 }).then(
                  ({ games }) => games,
                  () => [], // The connection banner reports the failure.
              )
            : [];
    const onDevice = deviceGames().catch((problem: unknown) => {
        report(problem);
        return [];
    });
    const found = [...(await onServer), ...(await onDevice).filter(({ outcome }) => outcome === null)];
    return found.sort((one, other) => other.changed.localeCompare(one.changed))[0] ?? null;
}

/** The maximum number of finished games that are read for the statistics. */
const MOST_FINISHED = 1000;
const PER_REQUEST = 200;

export interface FinishedGames {
    /** The games on the server and on this device, in any order. */
    games: GameSummary[];
    /** Why the games on the server are missing; `null` if they are included. */
    missing: unknown;
}

/** The finished games. Rejects if the games on this device cannot be read. */
export async function finishedGames(): Promise<FinishedGames> {
    const here = (await deviceGames()).filter(({ outcome }) => outcome !== null);
    if (!hasServer) return { games: here, missing: null };
    try {
        return { games: [...(await finishedOnServer()), ...here], missing: null };
    } catch (problem) {
        return { games: [...(lastFinished?.games ?? []), ...here], missing: lastFinished ? null : problem };
    }
}

/** The finished games on the server, as they were last read, and a mark that changes with the list. */
let lastFinished: { games: GameSummary[]; mark: string } | null = null;

async function finishedOnServer(): Promise<GameSummary[]> {
    if (connection.lost) throw new ApiProblem("offline", "The connection to the server is lost.");
    const mark = ({ games, total }: GameList): string => JSON.stringify([total, games[0]]);
    // A game that has ended, or was deleted or restored, changes the first game or the total.
    if (lastFinished && mark(await finishedPage(0, 1)) === lastFinished.mark) return lastFinished.games;
    const found = new Map<string, GameSummary>(); // keyed by id, because a game may appear on two pages
    const first = await finishedPage(0, PER_REQUEST);
    let { games } = first;
    for (let offset = PER_REQUEST; ; offset += PER_REQUEST) {
        for (const game of games) found.set(game.id, game);
        if (offset >= Math.min(first.total, MOST_FINISHED)) break;
        ({ games } = await finishedPage(offset, PER_REQUEST));
    }
    lastFinished = { games: [...found.values()], mark: mark(first) };
    return lastFinished.games;
}

function finishedPage(offset: number, limit: number): Promise<GameList> {
    return api.games({ state: "finished", offset, limit });
}

/** Delete a game. */
export async function deleteGame(id: string): Promise<void> {
    await (isOnDevice(id) ? (await loadDevice()).deleteGame(id) : api.deleteGame(id));
}

/** Restore a game that has just been deleted. */
export async function restoreGame(id: string): Promise<void> {
    await (isOnDevice(id) ? (await loadDevice()).restoreGame(id) : api.restoreGame(id));
}

/** The maximum number of attempts to move a game that keeps changing in another tab. */
const HAND_OVER_ATTEMPTS = 3;
/** The longest idempotency key that the server accepts. The ids of imported games may be longer than ours. */
const LONGEST_KEY = 40;

/**
 * Move a game from this device to the server. Rejects, and keeps the game here, if the server refuses it, or if it
 * changes in another tab during every attempt. If the reply is lost, call again: the server then returns the game
 * that it already has.
 */
export async function handOver(id: string): Promise<void> {
    const device = await loadDevice();
    for (let attempt = 0; attempt < HAND_OVER_ATTEMPTS; attempt++) {
        const { text, revision } = await device.record(id);
        const moved = await api.importRecord(text, `${revision} ${id}`.slice(0, LONGEST_KEY));
        try {
            // Another tab may have stored further tokens, which the server does not have.
            await device.deleteGame(id, revision);
            return;
        } catch (problem) {
            if (!(problem instanceof ApiProblem) || problem.kind !== "stale-revision") throw problem;
        }
        // Keep a game that arrived earlier and has been continued on the server since.
        if (moved.changed === moved.created) await api.deleteGame(moved.id);
    }
    throw new ApiProblem("device-continued", "The game continued in another tab.", 409);
}
