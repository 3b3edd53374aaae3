/** Creates, lists and deletes the games on this device. */
import type { GameHeader, Opened, StoredGame } from "../../../core/localGame";
import { ApiProblem, type GameSummary, type GameView, type Line, type NewGame } from "../client";
import { noteDeviceGame } from "../deviceGames";
import { newDeviceId } from "../ids";
import { accepted, withCore } from "./core";
import { deviceStore, purgeDeleted, type DeviceGame } from "./store";
import { announceChange } from "./tabs";

/** The database row for a game. */
export function rowOf(header: GameHeader, view: GameView): DeviceGame {
    const { id, created, changed, variant, seats, now, revision } = view;
    const { turn: turns, position, decider, outcome } = now;
    const summary: GameSummary = {
        id,
        created,
        changed,
        variant,
        seats,
        turns,
        position,
        decider,
        outcome,
        kind: "local",
        rated: false,
        you: [],
    };
    return { id, header, summary, length: revision, deleted: null };
}

/** Create a game and return its id. */
export function createGame(game: NewGame): Promise<string> {
    return withCore(async (client) => keep(accepted(await client.call("create", game, newDeviceId()))));
}

/** Create a game from a record and return its id. */
export function importRecord(text: string): Promise<string> {
    const bytes = new TextEncoder().encode(text);
    return withCore(async (client) => keep(accepted(await client.call("createFromRecord", bytes, newDeviceId()))));
}

/** Read the game in a record without storing it. */
export function viewRecord(text: string, id: string): Promise<GameView> {
    const bytes = new TextEncoder().encode(text);
    return withCore(async (client) => accepted(await client.call("createFromRecord", bytes, id)).view);
}

/** Play tokens from any position. The result is the same as from the server's API. */
export function line(position: string, tokens: readonly string[] = []): Promise<Line> {
    return withCore(async (client) => accepted(await client.call("study", position, [...tokens])));
}

/** The games, most recently changed first. Games without any moves are left out, as on the server. */
export async function games(): Promise<GameSummary[]> {
    const rows = await (await deviceStore()).list();
    return rows
        .filter(({ length, summary }, index) => index === 0 || length > 0 || summary.variant === null)
        .map(({ summary }) => summary);
}

/**
 * Delete a game. It can be restored for an hour. With `revision`, rejects with `stale-revision` if the game now has a
 * different revision.
 */
export async function deleteGame(id: string, revision?: number): Promise<void> {
    const store = await deviceStore();
    await store.setDeleted(id, new Date().toISOString(), revision);
    announceChange(id);
    await purgeDeleted(store);
}

export async function restoreGame(id: string): Promise<void> {
    await (await deviceStore()).setDeleted(id, null);
}

/** The record of a game, and the revision that it contains. */
export async function record(id: string): Promise<{ text: string; revision: number }> {
    const { header, entries } = await stored(id);
    const text = await withCore(async (client) => {
        accepted(await client.call("open", { header, entries }));
        return recordText(await client.call("record"));
    });
    return { text, revision: entries.length };
}

/** The text of a record written by the core. Throws if the core could not write it. */
export function recordText(written: { text: string } | object): string {
    if ("text" in written) return written.text;
    throw new ApiProblem("unexpected", "The core could not write the record.");
}

/** The log of a game. */
export async function stored(id: string): Promise<StoredGame> {
    const { game, entries } = await (await deviceStore()).read(id);
    return { header: game.header, entries };
}

/** Store a new game and return its id. */
export async function keep({ header, entries, view }: Opened): Promise<string> {
    const store = await deviceStore();
    if (store.isKept && (await store.list()).length === 0) askToPersist();
    await store.create({ game: rowOf(header, view), entries });
    noteDeviceGame();
    return header.id;
}

/** Ask the browser not to evict our games when the device runs out of space. The browser may prompt the visitor. */
function askToPersist(): void {
    navigator.storage?.persist?.().catch(() => false);
}
