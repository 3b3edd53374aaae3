/**
 * Keeps finished reviews of the player's own games on this device, with the mistakes to learn from. They are in a
 * database of their own. If the browser blocks it, they are in memory until the page is closed; they can be computed
 * again from the games.
 */
import type { TribeName } from "./client";

export interface Mistake {
    /** The number of steps before the mistake. */
    readonly index: number;
    readonly tribe: TribeName;
    readonly turn: number;
    /** In millionths of a game. */
    readonly loss: number;
    /** Whether a good move was found at the first attempt. */
    readonly learnt: boolean;
    /** How many times it was not. */
    readonly failed: number;
}

export interface KeptReview {
    /** The id of the game. */
    readonly id: string;
    readonly record: string;
    /** What the core has found; it puts the review together again without a search. */
    readonly findings: readonly string[];
    /** When the game was last changed. */
    readonly played: string;
    readonly mistakes: readonly Mistake[];
}

const NAME = "cairn-reviews";
const STORE = "reviews";
/** The most reviews to keep. The oldest games are removed first. */
const MOST = 100;

const inMemory = new Map<string, KeptReview>();
let opening: Promise<IDBDatabase | null> | null = null;

function settled<Result>(request: IDBRequest<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new DOMException("The request failed."));
    });
}

/** The database; `null` if the browser blocks it. */
function open(): Promise<IDBDatabase | null> {
    opening ??= connect().catch((error: unknown) => {
        console.info("The browser blocks storage, so reviews are kept in memory only.", error);
        return null;
    });
    return opening;
}

async function connect(): Promise<IDBDatabase> {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "id" });
    const database = await settled(request);
    const forget = (): void => {
        opening = null;
        database.close();
    };
    database.onversionchange = forget;
    database.onclose = forget;
    return database;
}

/** All reviews, the latest games first. */
export async function keptReviews(): Promise<KeptReview[]> {
    const database = await open();
    const found: KeptReview[] = database
        ? await settled(database.transaction(STORE).objectStore(STORE).getAll())
        : [...inMemory.values()];
    return found.sort((one, other) => other.played.localeCompare(one.played));
}

/** The review of a game; `null` if there is none. */
export async function keptReview(id: string): Promise<KeptReview | null> {
    const database = await open();
    if (!database) return inMemory.get(id) ?? null;
    const found: KeptReview | undefined = await settled(database.transaction(STORE).objectStore(STORE).get(id));
    return found ?? null;
}

/** Change the review of a game in one transaction. Nothing happens if `change` returns `null`. */
async function update(id: string, change: (before: KeptReview | null) => KeptReview | null): Promise<void> {
    const database = await open();
    if (!database) {
        const after = change(inMemory.get(id) ?? null);
        if (after) inMemory.set(id, after);
        return;
    }
    const transaction = database.transaction(STORE, "readwrite");
    const done = new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve();
        transaction.onabort = () => reject(transaction.error ?? new DOMException("The transaction failed."));
    });
    const store = transaction.objectStore(STORE);
    const before: KeptReview | undefined = await settled(store.get(id));
    const after = change(before ?? null);
    if (after) store.put(after);
    await done;
}

/** Keep a review. What was learnt from an earlier review of the same game is not forgotten. */
export async function keepReview(review: KeptReview): Promise<void> {
    await update(review.id, (before) => {
        const known = new Map(before?.mistakes.map((mistake) => [mistake.index, mistake]));
        const mistakes = review.mistakes.map((mistake) => {
            const { learnt = false, failed = 0 } = known.get(mistake.index) ?? {};
            return { ...mistake, learnt, failed };
        });
        return { ...review, mistakes };
    });
    const outdated = (await keptReviews()).slice(MOST);
    const database = await open();
    for (const { id } of outdated) {
        if (database) await settled(database.transaction(STORE, "readwrite").objectStore(STORE).delete(id));
        else inMemory.delete(id);
    }
}

/** Note whether a good move was found at the first attempt. */
export async function noteAttempt(id: string, index: number, good: boolean): Promise<void> {
    await update(id, (before) => {
        if (!before) return null;
        const mistakes = before.mistakes.map((mistake) =>
            mistake.index === index ? { ...mistake, learnt: good, failed: mistake.failed + Number(!good) } : mistake,
        );
        return { ...before, mistakes };
    });
}
