/** The file that contains all games from a device, as a backup or for another device. */
import type { StoredGame } from "../../../core/localGame";
import { ApiProblem } from "../client";
import { isOnDevice } from "../ids";
import { LEVELS } from "../levels";
import { parseJson } from "../storage";

/** Marks a file as an export of games. */
const FORMAT = "cairn games";
const VERSION = 1;

const VARIANTS: readonly unknown[] = ["beginner", "standard", "expert", null];
const ANY_LEVEL: readonly unknown[] = LEVELS;
/** The seed is 32 bytes in hexadecimal. */
const SEED = /^[0-9a-f]{64}$/;

export function writeGames(games: readonly StoredGame[]): string {
    return JSON.stringify({ format: FORMAT, version: VERSION, games });
}

/** The games in a file. `null` stands for a game with missing or invalid fields. The core checks the other games. */
export function readGames(text: string): (StoredGame | null)[] {
    const { format, version, games } = fieldsOf(parseJson(text));
    if (format !== FORMAT || version !== VERSION || !Array.isArray(games))
        throw new ApiProblem("malformed", "This file does not contain games from a device.", 422);
    return games.map((game: unknown) => (isStoredGame(game) ? game : null));
}

function isStoredGame(value: unknown): value is StoredGame {
    const { header, entries } = fieldsOf(value);
    const { id, created, variant, start, seats, seed } = fieldsOf(header);
    const { forest, sea } = fieldsOf(seats);
    return (
        isText(id) &&
        isOnDevice(id) &&
        isTime(created) &&
        VARIANTS.includes(variant) &&
        isText(start) &&
        isSeat(forest) &&
        isSeat(sea) &&
        isText(seed) &&
        SEED.test(seed) &&
        Array.isArray(entries) &&
        entries.every(isEntry)
    );
}

/** Whether an entry has a valid revision and time. Lists and the database need both, but the core checks neither. */
function isEntry(value: unknown, index: number): boolean {
    const { revision, at } = fieldsOf(value);
    return revision === index + 1 && isTime(at);
}

function isSeat(value: unknown): boolean {
    const { kind, level, name } = fieldsOf(value);
    const isLevel = kind === "computer" ? ANY_LEVEL.includes(level) : kind === "person" && level === null;
    return isLevel && (name === null || isText(name));
}

function isTime(value: unknown): boolean {
    return isText(value) && !Number.isNaN(Date.parse(value));
}

function isText(value: unknown): value is string {
    return typeof value === "string";
}

function fieldsOf(value: unknown): Record<string, unknown> {
    return Object(value) as Record<string, unknown>;
}
