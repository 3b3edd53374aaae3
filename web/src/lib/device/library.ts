/** Creates, lists, deletes, exports and imports the games on this device. */
import type { LogEntry } from "../../../core/core";
import type { GameHeader, Opened, StoredGame } from "../../../core/localGame";
import { ApiProblem, type GameSummary, type GameView, type Line, type NewGame } from "../client";
import { noteDeviceGame } from "../deviceGames";
import { newDeviceId } from "../ids";
import { accepted, withCore } from "./core";
import { readGames, writeGames } from "./file";
import { deviceStore, purgeDeleted, type DeviceGame } from "./store";
import { announceChange } from "./tabs";

/** What became of the games in an imported file, as counts. */
export interface ImportReport {
    added: number;
    /** Games that this device already has, with at least the same moves. */
    known: number;
    damaged: number;
    /** Games that could not be checked or stored. */
    failed: number;
    /** Why the first of these games failed; `null` if none did. */
    problem: unknown;
}

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

/** The content of a file with all games on this device. */
export async function exportGames(): Promise<string> {
    const list = await (await deviceStore()).list();
    return writeGames(await Promise.all(list.map(({ id }) => stored(id))));
}

/**
 * Add the games in a file. Each game is replayed first, so that no damaged game is added. If a game cannot be added, the
 * import continues with the others. Rejects with `malformed` if the file does not contain games.
 */
export async function importGames(text: string): Promise<ImportReport> {
    const report: ImportReport = { added: 0, known: 0, damaged: 0, failed: 0, problem: null };
    for (const game of readGames(text)) {
        try {
            // Without a core, no game can be checked, so do not try to load it again for each game.
            if (game && isMissingCore(report.problem)) throw report.problem;
            report[game ? await addGame(game) : "damaged"] += 1;
        } catch (problem) {
            report.failed += 1;
            report.problem ??= problem;
        }
    }
    return report;
}

function isMissingCore(problem: unknown): boolean {
    return problem instanceof ApiProblem && problem.kind === "core-missing";
}

async function addGame(game: StoredGame): Promise<"added" | "known" | "damaged"> {
    let opened: Opened;
    try {
        opened = await withCore(async (client) => accepted(await client.call("open", game)));
    } catch (problem) {
        if (isMissingCore(problem)) throw problem;
        return "damaged";
    }
    const here = await stored(opened.header.id).catch((problem: unknown) => {
        if (problem instanceof ApiProblem && problem.kind === "unknown-device-game") return null;
        throw problem;
    });
    if (here && continues(here, game)) return "known";
    if (!here) {
        await keep(opened);
        return "added";
    }
    // The stored game with this id is a different game, or it continues differently, so use a new id.
    const id = newDeviceId();
    const header = { ...opened.header, id };
    await keep({ ...opened, header, view: { ...opened.view, id } });
    return "added";
}

/** Whether `game` contains all of `other`, and perhaps more. */
function continues(game: StoredGame, other: StoredGame): boolean {
    const same = (one: LogEntry | undefined, two: LogEntry): boolean => JSON.stringify(one) === JSON.stringify(two);
    return (
        game.header.seed === other.header.seed &&
        other.entries.every((entry, index) => same(game.entries[index], entry))
    );
}

async function stored(id: string): Promise<StoredGame> {
    const { game, entries } = await (await deviceStore()).read(id);
    return { header: game.header, entries };
}

/** Store a new game and return its id. */
async function keep({ header, entries, view }: Opened): Promise<string> {
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
