/** Stores in the browser which lessons have been completed. */
import { localStore, readJson, writeJson } from "./storage";

const STORE = "cairn.tutorial";

/** The ids of the completed lessons. */
export function storedLessons(): readonly string[] {
    const value = readJson(localStore, STORE);
    return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

export function storeLessons(ids: readonly string[]): void {
    writeJson(localStore, STORE, ids);
}
