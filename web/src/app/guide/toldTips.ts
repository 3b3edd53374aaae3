/** Which of the one-time tips this visitor has been told. */
import { parseJson, type SafeStorage } from "../../lib/storage";

export const TIPS = ["goal", "tiles", "strip", "flip", "stone", "exit", "line"] as const;
export type TipId = (typeof TIPS)[number];

const KEY = "cairn.tips";
/** Written by earlier versions, which told only the goal. Those visitors have played before. */
const OLD_KEY = "cairn.goal-told";

/** The tips that this visitor has been told. */
export function readTold(store: SafeStorage): ReadonlySet<string> {
    const saved = parseJson(store.getItem(KEY));
    if (Array.isArray(saved)) return new Set(saved.filter((id) => typeof id === "string"));
    return new Set(store.getItem(OLD_KEY) ? TIPS : []);
}

export function writeTold(store: SafeStorage, told: ReadonlySet<string>): void {
    store.setItem(KEY, JSON.stringify([...told]));
}

/** Whether every tip has been told, so that the rest of the guide need not be loaded. */
export function allTold(store: SafeStorage): boolean {
    const told = readTold(store);
    return TIPS.every((id) => told.has(id));
}
