/**
 * Stores the games on this device. Each game has an append-only log of entries, and a row that summarises it for lists.
 * Both are in IndexedDB. If the browser blocks IndexedDB, they are in memory until the page is closed. If IndexedDB
 * fails in any other way, the stored games may still be there, so the caller gets an error instead of an empty store.
 */
import type { LogEntry } from "../../../core/core";
import type { GameHeader } from "../../../core/localGame";
import { ApiProblem, type GameSummary } from "../client";
import { isStorageBlocked } from "../storage";

/** The database row of a game. */
export interface DeviceGame {
    id: string;
    /** The data that never changes, including the secret that determines the draws. */
    header: GameHeader;
    summary: GameSummary;
    /** The number of entries in the log, which is also the revision of the last entry. */
    length: number;
    /** When the game was deleted; `null` if it is not deleted. */
    deleted: string | null;
}

export interface GameLog {
    game: DeviceGame;
    entries: LogEntry[];
}

export interface GameStore {
    /** Whether games remain stored after the page is closed. */
    readonly isKept: boolean;
    /** Store a new game. Resolves when it is on disk. Replaces a deleted game with the same id. */
    create: (log: GameLog) => Promise<void>;
    /**
     * Append entries to a log and replace the row. Resolves when both are on disk. Rejects with `stale-revision` if
     * the entries do not continue the log, because another tab appended entries first.
     */
    append: (game: DeviceGame, entries: readonly LogEntry[]) => Promise<void>;
    /** A game, with the log entries after a revision. Rejects with `unknown-device-game` if the game does not exist. */
    read: (id: string, after?: number) => Promise<GameLog>;
    /** All games, most recently changed first. */
    list: () => Promise<DeviceGame[]>;
    /**
     * Mark a game as deleted, or restore it with `null`. Other methods ignore deleted games. If `length` is given and
     * the log has a different length, rejects with `stale-revision`.
     */
    setDeleted: (id: string, deleted: string | null, length?: number) => Promise<void>;
    /** Remove the games that were deleted before a given time. */
    purge: (before: string) => Promise<void>;
}

const NAME = "cairn";
const VERSION = 1;
const GAMES = "games";
const LOG = "log";
/** The delays between attempts to open the database, in milliseconds. */
const RETRY_DELAYS = [100, 400, 1_000];
/** The errors with which browsers block IndexedDB, as they do in some private windows. Retrying does not help. */
const BLOCKING: ReadonlySet<string> = new Set(["SecurityError", "InvalidStateError", "NotSupportedError"]);

function unknownGame(): ApiProblem {
    return new ApiProblem("unknown-device-game", "This game is not on this device.", 404);
}

/** The game existed when the page was opened. The page still shows it, and its record can be saved as a file. */
function lostGame(): ApiProblem {
    return new ApiProblem("unknown-device-game", "This game is no longer on this device.");
}

function stale(): ApiProblem {
    return new ApiProblem("stale-revision", "The game has changed in the meantime.", 409);
}

/** The games are still stored, but the browser cannot read them at the moment. */
function unreadable(error: unknown): ApiProblem {
    console.info("The browser could not read the stored games.", error);
    return new ApiProblem("device-unreadable", "The browser could not read the games on this device.");
}

/** The problem that the pages show if a transaction failed. */
function problemOf(error: unknown, mode: "readonly" | "readwrite"): unknown {
    if (!(error instanceof DOMException)) return error;
    if (mode === "readonly") return unreadable(error);
    if (error.name === "QuotaExceededError") return new ApiProblem("device-full", "The device has no space left.");
    return new ApiProblem("device-failed", `The browser could not store the game: ${error.message}`);
}

function byChange(one: DeviceGame, other: DeviceGame): number {
    return other.summary.changed.localeCompare(one.summary.changed) || one.id.localeCompare(other.id);
}

/** Settles when the request does. In a transaction, await nothing else, or the browser commits the transaction. */
function settled<Result>(request: IDBRequest<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new DOMException("The request failed."));
    });
}

type Stores = Record<typeof GAMES | typeof LOG, IDBObjectStore>;

class IndexedStore implements GameStore {
    readonly isKept = true;
    #database: Promise<IDBDatabase> | null = null;

    /** Open the database. Failures are often temporary, so this makes several attempts. */
    open(): Promise<IDBDatabase> {
        this.#database ??= retrying(() => this.#connect()).catch((error: unknown) => {
            this.#database = null;
            throw error;
        });
        return this.#database;
    }

    async create({ game, entries }: GameLog): Promise<void> {
        await this.#transact("readwrite", async (stores) => {
            const before: DeviceGame | undefined = await settled(stores.games.get(game.id));
            if (before && before.deleted !== null) await remove(stores, game.id);
            await settled(stores.games.add(game));
            await write(stores, game.id, entries);
        });
    }

    async append(game: DeviceGame, entries: readonly LogEntry[]): Promise<void> {
        await this.#transact("readwrite", async (stores) => {
            const before: DeviceGame | undefined = await settled(stores.games.get(game.id));
            if (!before || before.deleted !== null) throw lostGame();
            if (before.length + entries.length !== game.length) throw stale();
            await settled(stores.games.put(game));
            await write(stores, game.id, entries);
        });
    }

    read(id: string, after = 0): Promise<GameLog> {
        return this.#transact("readonly", async (stores) => {
            const game = await known(stores, id);
            const rows: { entry: LogEntry }[] = await settled(stores.log.getAll(ofGame(id, after)));
            return { game, entries: rows.map(({ entry }) => entry) };
        });
    }

    list(): Promise<DeviceGame[]> {
        return this.#transact("readonly", async (stores) => {
            const games: DeviceGame[] = await settled(stores.games.getAll());
            return games.filter(({ deleted }) => deleted === null).sort(byChange);
        });
    }

    async setDeleted(id: string, deleted: string | null, length?: number): Promise<void> {
        await this.#transact("readwrite", async (stores) => {
            const game: DeviceGame | undefined = await settled(stores.games.get(id));
            if (!game) throw unknownGame();
            if (length !== undefined && game.length !== length) throw stale();
            await settled(stores.games.put({ ...game, deleted }));
        });
    }

    async purge(before: string): Promise<void> {
        await this.#transact("readwrite", async (stores) => {
            const games: DeviceGame[] = await settled(stores.games.getAll());
            for (const { id, deleted } of games) {
                if (deleted !== null && deleted < before) await remove(stores, id);
            }
        });
    }

    async #connect(): Promise<IDBDatabase> {
        const request = indexedDB.open(NAME, VERSION);
        request.onupgradeneeded = () => {
            request.result.createObjectStore(GAMES, { keyPath: "id" });
            request.result.createObjectStore(LOG, { keyPath: ["game", "revision"] });
        };
        const database = await new Promise<IDBDatabase>((resolve, reject) => {
            settled(request).then(resolve, reject);
            // Another tab keeps an older version open. If that version is closed later, this connection is not needed.
            request.onblocked = () => {
                reject(new DOMException("Another tab is using an older version of the database.", "AbortError"));
                settled(request).then(
                    (late) => late.close(),
                    () => undefined,
                );
            };
        });
        const forget = (): void => {
            this.#database = null;
            database.close();
        };
        // A newer build in another tab is upgrading the database, or the visitor has cleared the storage.
        database.onversionchange = forget;
        database.onclose = forget;
        return database;
    }

    /** Run a transaction. Resolves when its changes are on disk. If it rejects, nothing is stored. */
    async #transact<Result>(mode: "readonly" | "readwrite", run: (stores: Stores) => Promise<Result>): Promise<Result> {
        try {
            const database = await this.open();
            // With "strict", a transaction completes only after the operating system has written it to disk.
            const transaction = database.transaction([GAMES, LOG], mode, { durability: "strict" });
            const done = new Promise<void>((resolve, reject) => {
                transaction.oncomplete = () => resolve();
                transaction.onabort = () => reject(transaction.error ?? new DOMException("The transaction failed."));
            });
            const stores = { games: transaction.objectStore(GAMES), log: transaction.objectStore(LOG) };
            const ran = run(stores).catch((error: unknown) => {
                // If a request has failed, the transaction is already aborted.
                if (transaction.error === null) attempt(() => transaction.abort());
                throw error;
            });
            const [outcome, end] = await Promise.allSettled([ran, done]);
            if (outcome.status === "rejected")
                throw end.status === "rejected" ? preferred(outcome.reason, end.reason) : outcome.reason;
            if (end.status === "rejected") throw end.reason;
            return outcome.value;
        } catch (error) {
            throw problemOf(error, mode);
        }
    }
}

/** The more specific of two errors from one transaction. A full disk is reported only when the transaction ends. */
function preferred(first: unknown, end: unknown): unknown {
    return end instanceof DOMException && end.name === "QuotaExceededError" ? end : first;
}

function attempt(action: () => void): void {
    try {
        action();
    } catch {
        // The transaction has already ended.
    }
}

function ofGame(id: string, after = 0): IDBKeyRange {
    return IDBKeyRange.bound([id, after], [id, Infinity], true);
}

async function known(stores: Stores, id: string): Promise<DeviceGame> {
    const game: DeviceGame | undefined = await settled(stores.games.get(id));
    if (!game || game.deleted !== null) throw unknownGame();
    return game;
}

async function write({ log }: Stores, game: string, entries: readonly LogEntry[]): Promise<void> {
    for (const entry of entries) await settled(log.add({ game, revision: entry.revision, entry }));
}

async function remove(stores: Stores, id: string): Promise<void> {
    await settled(stores.games.delete(id));
    await settled(stores.log.delete(ofGame(id)));
}

/** Stores games in memory. */
class MemoryStore implements GameStore {
    readonly isKept = false;
    readonly #logs = new Map<string, GameLog>();

    async create(log: GameLog): Promise<void> {
        const before = this.#logs.get(log.game.id);
        if (before?.game.deleted === null) throw new ApiProblem("device-failed", "This game is already stored.");
        this.#logs.set(log.game.id, log);
    }

    async append(game: DeviceGame, entries: readonly LogEntry[]): Promise<void> {
        const log = await this.read(game.id);
        if (log.game.length + entries.length !== game.length) throw stale();
        this.#logs.set(game.id, { game, entries: [...log.entries, ...entries] });
    }

    async read(id: string, after = 0): Promise<GameLog> {
        const log = this.#logs.get(id);
        if (!log || log.game.deleted !== null) throw unknownGame();
        return { game: log.game, entries: log.entries.slice(after) };
    }

    async list(): Promise<DeviceGame[]> {
        const games = [...this.#logs.values()].map(({ game }) => game);
        return games.filter(({ deleted }) => deleted === null).sort(byChange);
    }

    async setDeleted(id: string, deleted: string | null, length?: number): Promise<void> {
        const log = this.#logs.get(id);
        if (!log) throw unknownGame();
        if (length !== undefined && log.game.length !== length) throw stale();
        this.#logs.set(id, { ...log, game: { ...log.game, deleted } });
    }

    async purge(before: string): Promise<void> {
        for (const [id, { game }] of this.#logs) {
            if (game.deleted !== null && game.deleted < before) this.#logs.delete(id);
        }
    }
}

/** How long a deleted game can be restored, in milliseconds. */
const RESTORABLE = 3_600_000;

/** Remove the games that were deleted too long ago to be restored. */
export function purgeDeleted(store: GameStore): Promise<void> {
    return store.purge(new Date(Date.now() - RESTORABLE).toISOString());
}

let opened: Promise<GameStore> | null = null;

/** This device's store. Rejects with `device-unreadable` if it cannot be opened; call again to retry. */
export function deviceStore(): Promise<GameStore> {
    opened ??= findStore().catch((error: unknown) => {
        opened = null;
        throw unreadable(error);
    });
    return opened;
}

async function findStore(): Promise<GameStore> {
    const store = new IndexedStore();
    try {
        await store.open();
        // Do not wait: the games can be read even if this fails, and the next visit tries again.
        void purgeDeleted(store).catch(() => undefined);
        return store;
    } catch (error) {
        if (!isBlocked(error)) throw error;
        console.info("The browser blocks storage, so games are kept in memory only.", error);
        return new MemoryStore();
    }
}

/** Whether the browser blocks IndexedDB. The error alone does not show this: in Chromium, it is an `UnknownError`. */
function isBlocked(error: unknown): boolean {
    if (!("indexedDB" in globalThis && indexedDB) || isStorageBlocked()) return true;
    return error instanceof DOMException && BLOCKING.has(error.name);
}

/** Run a task, and run it again after a delay if it fails in a way that may be temporary. */
async function retrying<Result>(task: () => Promise<Result>): Promise<Result> {
    for (const delay of RETRY_DELAYS) {
        try {
            return await task();
        } catch (error) {
            if (isBlocked(error)) throw error;
        }
        await new Promise((resolve) => setTimeout(resolve, delay));
    }
    return task();
}
