/** Exports and imports the games on this device. Only the My games page needs this. */
import type { LogEntry } from "../../../core/core";
import type { Opened, StoredGame } from "../../../core/localGame";
import { ApiProblem } from "../client";
import { newDeviceId } from "../ids";
import { accepted, withCore } from "./core";
import { readGames, writeGames } from "./file";
import { keep, stored } from "./library";
import { deviceStore } from "./store";

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
