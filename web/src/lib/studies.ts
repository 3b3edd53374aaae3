/** The studies that are saved on this device: records with variations, comments and marks. */
import { ApiProblem } from "./client";
import { newId } from "./ids";
import { localStore, parseJson, store, storedKeys } from "./storage";

export interface SavedStudy {
    readonly id: string;
    readonly name: string;
    /** When it was last changed. */
    readonly changed: string;
    /** The text of the record. */
    readonly record: string;
}

const PREFIX = "cairn.study.";

function studyOf(id: string, text: string | null): SavedStudy | null {
    const { name, changed, record } = Object(parseJson(text)) as Partial<SavedStudy>;
    if (typeof name !== "string" || typeof changed !== "string" || typeof record !== "string") return null;
    return { id, name, changed, record };
}

/** All studies, most recently changed first. */
export function savedStudies(): SavedStudy[] {
    return storedKeys(PREFIX)
        .flatMap((key) => savedStudy(key.slice(PREFIX.length)) ?? [])
        .sort((one, other) => other.changed.localeCompare(one.changed));
}

/** A study; `null` if it is not on this device. */
export function savedStudy(id: string): SavedStudy | null {
    return studyOf(id, localStore.getItem(PREFIX + id));
}

/** Save a study, or replace the one with this id. Throws `device-full` if the browser does not store it. */
export function saveStudy(name: string, record: string, id: string = newId()): SavedStudy {
    const study: SavedStudy = { id, name, changed: new Date().toISOString(), record };
    write(study);
    return study;
}

/** Put a study that was deleted back. */
export function restoreStudy(study: SavedStudy): void {
    write(study);
}

export function deleteStudy(id: string): void {
    localStore.removeItem(PREFIX + id);
}

function write({ id, ...study }: SavedStudy): void {
    if (!store(PREFIX + id, JSON.stringify(study)))
        throw new ApiProblem("device-full", "The browser could not store the study.");
}

/** The page of a study. */
export function studyPath(id: string): string {
    return `/analysis?study=${id}`;
}
