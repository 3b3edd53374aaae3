/** The time controls for new challenges, and the options last chosen in the form. */
import type { Control } from "../../lib/online";
import { localStore, readJson, writeJson } from "../../lib/storage";

const real = (minutes: number, seconds: number): Control => ({
    kind: "real-time",
    initial: minutes * 60_000,
    increment: seconds * 1000,
});

/** The time controls by key; the browser stores the key. */
export const CLOCKS: Readonly<Record<string, Control | null>> = {
    "3+5": real(3, 5),
    "5+8": real(5, 8),
    "10+10": real(10, 10),
    "20+15": real(20, 15),
    "1d": { kind: "correspondence", days: 1 },
    "3d": { kind: "correspondence", days: 3 },
    none: null,
};

export const USUAL = "10+10";

export interface ChallengeSettings {
    against: "friend" | "lobby" | "computer";
    variant: "beginner" | "standard" | "expert";
    tribe: "forest" | "sea" | null;
    clock: string;
    rated: boolean;
    level: number;
}

const STORE = "cairn.challenge";

export function lastSettings(): ChallengeSettings {
    const usual: ChallengeSettings = {
        against: "friend",
        variant: "beginner",
        tribe: null,
        clock: USUAL,
        rated: true,
        level: 1,
    };
    const settings: ChallengeSettings = { ...usual, ...Object(readJson(localStore, STORE)) };
    const known = settings.clock in CLOCKS && ["beginner", "standard", "expert"].includes(settings.variant);
    return known && settings.level >= 1 && settings.level <= 10 ? settings : usual;
}

export function storeSettings(settings: ChallengeSettings): void {
    writeJson(localStore, STORE, settings);
}
