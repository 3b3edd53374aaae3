/** Stores which one-time tips this visitor has seen. */
import { parseJson, type SafeStorage } from "../../lib/storage";

export const TIPS = ["goal", "tiles", "strip", "flip", "stone", "exit", "line"] as const;
export type TipId = (typeof TIPS)[number];

const KEY = "cairn.tips";
/** Written by earlier versions, which showed only the goal. Visitors with this key have played before. */
const OLD_KEY = "cairn.goal-told";

/** The tips that this visitor has seen. */
export function readSeen(store: SafeStorage): ReadonlySet<string> {
    const saved = parseJson(store.getItem(KEY));
    if (Array.isArray(saved)) return new Set(saved.filter((id) => typeof id === "string"));
    return new Set(store.getItem(OLD_KEY) ? TIPS : []);
}

export function writeSeen(store: SafeStorage, seen: ReadonlySet<string>): void {
    store.setItem(KEY, JSON.stringify([...seen]));
}

/** Whether every tip has been seen, so that the rest of the guide need not be loaded. */
export function allSeen(store: SafeStorage): boolean {
    const seen = readSeen(store);
    return TIPS.every((id) => seen.has(id));
}
