/**
 * Creates and reads games on the server or on this device. New games are stored on the server while it is reachable. On
 * a static site, or while the server is unreachable, they are stored on this device.
 */
import { api, ApiProblem, type GameSummary, type Line, type NewGame } from "./client";
import { connection } from "./connection.svelte";
import { hasHadDeviceGames } from "./deviceGames";
import { hasServer } from "./host";
import { isOnDevice } from "./ids";
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

/** The record of a game. */
export async function recordOf(id: string): Promise<string> {
    return isOnDevice(id) ? (await loadDevice()).record(id) : api.record(id);
}

/** The games on this device, the most recently changed first. If they cannot be read, a notice reports that. */
export async function deviceGames(): Promise<GameSummary[]> {
    if (!hasHadDeviceGames()) return [];
    try {
        return await (await loadDevice()).games();
    } catch (problem) {
        reportProblem(problem);
        return [];
    }
}

/** The most recently changed unfinished game, on the server or on this device; `null` if there is none. */
export async function latestRunning(): Promise<GameSummary | null> {
    const onServer =
        hasServer && !connection.lost
            ? api.games({ state: "running", limit: 1 }).then(
                  ({ games }) => games,
                  () => [], // The connection banner reports the failure.
              )
            : [];
    const found = [...(await onServer), ...(await deviceGames()).filter(({ outcome }) => outcome === null)];
    return found.sort((one, other) => other.changed.localeCompare(one.changed))[0] ?? null;
}

/** Delete a game. */
export async function deleteGame(id: string): Promise<void> {
    await (isOnDevice(id) ? (await loadDevice()).deleteGame(id) : api.deleteGame(id));
}

/** Restore a game that has just been deleted. */
export async function restoreGame(id: string): Promise<void> {
    await (isOnDevice(id) ? (await loadDevice()).restoreGame(id) : api.restoreGame(id));
}

/** Move a game from this device to the server. Rejects, and keeps the game here, if the server refuses it. */
export async function handOver(id: string): Promise<void> {
    await api.importRecord(await recordOf(id));
    await deleteGame(id);
}
