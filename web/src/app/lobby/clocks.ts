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

const AGAINST = ["friend", "lobby", "computer"] as const;
export type Against = (typeof AGAINST)[number];

export interface ChallengeSettings {
    against: Against;
    variant: "beginner" | "standard" | "expert";
    tribe: "forest" | "sea" | null;
    /** The clock for each kind of opponent. */
    clocks: Record<Against, string>;
    rated: boolean;
    sealed: boolean;
    level: number;
}

/** A friend who plays for the first time should not have to hurry. */
const DEFAULT_CLOCKS: Readonly<Record<Against, string>> = { friend: "none", lobby: "10+10", computer: "10+10" };

const STORE = "cairn.challenge";

/** The options last chosen, or the defaults on a first visit. */
export function lastSettings(): ChallengeSettings {
    const defaults: ChallengeSettings = {
        against: "friend",
        variant: "beginner",
        tribe: null,
        clocks: { ...DEFAULT_CLOCKS },
        rated: true,
        sealed: false,
        level: 1,
    };
    const settings: ChallengeSettings = { ...defaults, ...Object(readJson(localStore, STORE)) };
    settings.clocks = { ...DEFAULT_CLOCKS, ...Object(settings.clocks) };
    const known =
        AGAINST.includes(settings.against) &&
        AGAINST.every((kind) => settings.clocks[kind] in CLOCKS) &&
        ["beginner", "standard", "expert"].includes(settings.variant);
    return known && settings.level >= 1 && settings.level <= 10 ? settings : defaults;
}

export function storeSettings(settings: ChallengeSettings): void {
    writeJson(localStore, STORE, settings);
}
