/**
 * A wrapper around the browser's storage that never throws. Browsers refuse access when site data is blocked, and
 * refuse to write when the quota is exceeded. Values that cannot be written stay in memory until the page closes.
 */

/** The part of the browser's `Storage` that the pages use. */
export type SafeStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** Wrap a `Storage` object. `find` is a function because even access to `window.localStorage` can throw. */
function safe(find: () => Storage): SafeStorage {
    const unwritten = new Map<string, string>();

    function attempt<Result>(action: (storage: Storage) => Result): Result | null {
        try {
            return action(find());
        } catch {
            return null;
        }
    }

    return {
        getItem(key) {
            return unwritten.get(key) ?? attempt((storage) => storage.getItem(key));
        },
        setItem(key, text) {
            const written = attempt((storage) => {
                storage.setItem(key, text);
                return true;
            });
            if (written) unwritten.delete(key);
            else unwritten.set(key, text);
        },
        removeItem(key) {
            unwritten.delete(key);
            attempt((storage) => storage.removeItem(key));
        },
    };
}

/** Whether the browser blocks all site data, so that even access to the storage throws. */
export function isStorageBlocked(): boolean {
    try {
        void window.localStorage;
        return false;
    } catch {
        return true;
    }
}

/** Keeps values across visits and shares them between all tabs. */
export const localStore: SafeStorage = safe(() => window.localStorage);

/** Keeps values until the tab closes. */
export const sessionStore: SafeStorage = safe(() => window.sessionStorage);

/** Write a value that must survive a reload. Returns whether the browser has stored it. */
export function store(key: string, text: string): boolean {
    try {
        window.localStorage.setItem(key, text);
        return window.localStorage.getItem(key) === text;
    } catch {
        return false;
    }
}

/** The keys in the browser's storage that start with a prefix. */
export function storedKeys(prefix: string): string[] {
    try {
        return Object.keys(window.localStorage).filter((key) => key.startsWith(prefix));
    } catch {
        return [];
    }
}

/** A value that {@link writeJson} saved; `null` if there is none, or if the text is not JSON. */
export function readJson(storage: SafeStorage, key: string): unknown {
    return parseJson(storage.getItem(key));
}

export function writeJson(storage: SafeStorage, key: string, value: unknown): void {
    storage.setItem(key, JSON.stringify(value));
}

/** The value of a JSON text; `null` if the text is not JSON. */
export function parseJson(text: string | null): unknown {
    try {
        return JSON.parse(text ?? "null");
    } catch {
        return null;
    }
}
