import type { TribeName } from "./client";
import { isLanguage, type Language } from "./i18n/languages";
import { localStore, parseJson } from "./storage";

export const THEMES = ["auto", "light", "dark"] as const;
export const CONTRASTS = ["auto", "normal", "more"] as const;
export const SPEEDS = ["off", "quick", "normal", "slow"] as const;
export const VARIANTS = ["beginner", "standard", "expert"] as const;

export type Theme = (typeof THEMES)[number];
export type Contrast = (typeof CONTRASTS)[number];
export type Speed = (typeof SPEEDS)[number];
export type Variant = (typeof VARIANTS)[number];

/** How long an effect is shown and a piece glides, in milliseconds. */
export const PACE: Readonly<Record<Speed, number>> = { off: 0, quick: 220, normal: 480, slow: 1000 };

/** The options of the last new game, which are preselected for the next one. */
export interface NewGameOptions {
    variant: Variant;
    /** The person's tribe in a game against the computer; `null` leaves it to chance. */
    tribe: TribeName | null;
    /** Who goes first; `null` leaves it to chance. */
    first: TribeName | null;
    level: number;
    /** Names for two players at one screen; may be empty. */
    names: { forest: string; sea: string };
}

export interface Settings {
    /** `null` means the browser's language. */
    language: Language | null;
    theme: Theme;
    contrast: Contrast;
    /** How fast the effects of a move are shown. */
    speed: Speed;
    sound: boolean;
    /** How loud the sounds are, in percent. */
    volume: number;
    coordinates: boolean;
    /** Whether a finished turn waits for confirmation. */
    confirmTurn: boolean;
    /** With two players at one screen: whether the board rotates to face the player who decides. */
    turnBoard: boolean;
    /** Whether single letters are shortcuts on the play page. Users of voice control may want to turn them off. */
    shortcuts: boolean;
    newGame: NewGameOptions;
}

const STORE = "cairn.settings";

function matches(query: string): boolean {
    return typeof window.matchMedia === "function" && window.matchMedia(query).matches;
}

/** Whether the system is set to reduced motion. */
export function prefersStill(): boolean {
    return matches("(prefers-reduced-motion: reduce)");
}

/** The settings on a first visit. They depend on the system's preferences. */
export function defaults(): Settings {
    return {
        language: null,
        theme: "auto",
        contrast: "auto",
        speed: prefersStill() ? "off" : "normal",
        sound: true,
        volume: 70,
        coordinates: true,
        confirmTurn: matches("(pointer: coarse) and (max-width: 900px)"),
        turnBoard: true,
        shortcuts: true,
        newGame: { variant: "beginner", tribe: "forest", first: null, level: 1, names: { forest: "", sea: "" } },
    };
}

type Guards<T> = { [Key in keyof T]: (value: unknown) => value is T[Key] };

const isFlag = (value: unknown): value is boolean => typeof value === "boolean";
const isName = (value: unknown): value is string => typeof value === "string" && value.length <= 60;
const isTribeOrNull = (value: unknown): value is TribeName | null =>
    value === null || value === "forest" || value === "sea";
const isLevel = (value: unknown): value is number =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 10;
const isPercentage = (value: unknown): value is number => typeof value === "number" && value >= 0 && value <= 100;
const isLanguageOrNull = (value: unknown): value is Language | null => value === null || isLanguage(value);
function isOneOf<T>(values: readonly T[]): (value: unknown) => value is T {
    return (value): value is T => values.some((one) => one === value);
}

/** The valid values in a saved object; the fallback replaces invalid and missing values. */
function sift<T extends object>(saved: unknown, fallback: T, guards: Guards<T>): T {
    const result = { ...fallback };
    if (typeof saved !== "object" || saved === null) return result;
    for (const key of Object.keys(guards) as (keyof T)[]) {
        const value: unknown = (saved as Record<keyof T, unknown>)[key];
        if (guards[key](value)) result[key] = value;
    }
    return result;
}

/** The settings in a saved text; missing and invalid values get their defaults. */
export function readSettings(text: string | null): Settings {
    const fallback = defaults();
    const saved = parseJson(text);
    const newGame = (saved as { newGame?: { names?: unknown } } | null)?.newGame;
    const { newGame: lastGame, ...plain } = fallback;
    const { names: lastNames, ...choices } = lastGame;
    const options = sift(newGame, choices, {
        variant: isOneOf(VARIANTS),
        tribe: isTribeOrNull,
        first: isTribeOrNull,
        level: isLevel,
    });
    const names = sift(newGame?.names, lastNames, { forest: isName, sea: isName });
    const kept = sift(saved, plain, {
        language: isLanguageOrNull,
        theme: isOneOf(THEMES),
        contrast: isOneOf(CONTRASTS),
        speed: isOneOf(SPEEDS),
        sound: isFlag,
        volume: isPercentage,
        coordinates: isFlag,
        confirmTurn: isFlag,
        turnBoard: isFlag,
        shortcuts: isFlag,
    });
    return { ...kept, newGame: { ...options, names } };
}

const SETTING_NAMES = Object.keys(defaults()) as (keyof Settings)[];

type Saved = Readonly<{ values: Settings; chosen: Set<keyof Settings> }>;

/** The settings in a saved text, and the names of those that the text contains. */
function readSaved(text: string | null): Saved {
    const values = readSettings(text);
    const named = Object.keys(Object(parseJson(text)));
    return { values, chosen: new Set(SETTING_NAMES.filter((name) => named.includes(name))) };
}

let saved = readSaved(localStore.getItem(STORE));

/** The settings of this browser. Reactive; a change is saved immediately. A change does not affect `saved.values`,
 *  because Svelte never writes to the object from which a state was created. */
export const settings: Settings = $state(saved.values);

/** Save only the settings that the visitor has chosen. A saved default would not follow the system's preferences. */
function save(): void {
    for (const name of SETTING_NAMES) {
        if (JSON.stringify(settings[name]) !== JSON.stringify(saved.values[name])) saved.chosen.add(name);
    }
    const chosen = SETTING_NAMES.filter((name) => saved.chosen.has(name));
    const text = JSON.stringify(Object.fromEntries(chosen.map((name) => [name, settings[name]])));
    if (chosen.length > 0 && text !== localStore.getItem(STORE)) localStore.setItem(STORE, text);
}

/** Keep storage, other tabs and the document's theme in sync. Call once; returns a function that stops this. */
export function startSettings(): () => void {
    const stopEffects = $effect.root(() => {
        $effect(save);
        $effect(() => applyTheme(settings.theme, settings.contrast));
    });
    const fromOtherTab = (event: StorageEvent): void => {
        if (event.key !== STORE) return;
        saved = readSaved(event.newValue);
        Object.assign(settings, saved.values);
    };
    const systemChanged = (): void => applyTheme(settings.theme, settings.contrast);
    window.addEventListener("storage", fromOtherTab);
    const queries = ["(prefers-color-scheme: dark)", "(prefers-contrast: more)"].map((query) =>
        window.matchMedia?.(query),
    );
    for (const query of queries) query?.addEventListener("change", systemChanged);
    return () => {
        stopEffects();
        window.removeEventListener("storage", fromOtherTab);
        for (const query of queries) query?.removeEventListener("change", systemChanged);
    };
}

/** Set the attributes that app/theme.css reads. public/start.js does the same before the first paint. */
function applyTheme(theme: Theme, contrast: Contrast): void {
    const dark = theme === "auto" ? matches("(prefers-color-scheme: dark)") : theme === "dark";
    const more = contrast === "auto" ? matches("(prefers-contrast: more)") : contrast === "more";
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    document.documentElement.dataset.contrast = more ? "more" : "normal";
    // Give the browser's own interface the colour of our header.
    const surface = getComputedStyle(document.documentElement).getPropertyValue("--surface").trim();
    if (!surface) return;
    for (const meta of document.querySelectorAll('meta[name="theme-color"]')) meta.setAttribute("content", surface);
}
