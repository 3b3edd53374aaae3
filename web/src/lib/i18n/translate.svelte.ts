import { loadFonts } from "../fonts";
import { settings } from "../settings.svelte";
import { compile } from "./format";
import type { MessageKey, Messages } from "./keys";
import { browserLanguage, type Language } from "./languages";

export type Params = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** One chunk per language, loaded when that language is needed. */
const loaders: Record<Language, () => Promise<{ default: Messages }>> = {
    en: () => import("./languages/en"),
    fr: () => import("./languages/fr"),
    de: () => import("./languages/de"),
    ru: () => import("./languages/ru"),
};

interface Bundle {
    language: Language;
    messages: Messages;
    formats: Map<string, ReturnType<typeof compile>>;
}

let bundle = $state.raw<Bundle>({ language: "en", messages: {}, formats: new Map() });
/** The language requested last. Earlier requests that finish later are ignored. */
let wanted: Language = "en";

/** The current language. Reactive. */
export function language(): Language {
    return bundle.language;
}

/**
 * The message in the current language, with its arguments filled in. Reactive: components that use it are updated when
 * the language changes.
 */
export function t(key: MessageKey, params?: Params): string {
    const { formats, language, messages } = bundle;
    const message = messages[key];
    if (message === undefined) return key;
    if (!/[{}']/.test(message)) return message;
    let format = formats.get(key);
    if (!format) {
        format = compile(message, language);
        formats.set(key, format);
    }
    return format(params ?? {});
}

/** Format a date for the current language. If the date is today, only the time of day is returned. */
export function formatDate(text: string, now: Date = new Date()): string {
    const date = new Date(text);
    const today = date.toDateString() === now.toDateString();
    const options: Intl.DateTimeFormatOptions = today
        ? { hour: "numeric", minute: "2-digit" }
        : { day: "numeric", month: "short", ...(date.getFullYear() === now.getFullYear() ? {} : { year: "numeric" }) };
    return new Intl.DateTimeFormat(bundle.language, options).format(date);
}

/** Load a language and show it. The old language stays until the new one is loaded. */
async function show(language: Language): Promise<void> {
    wanted = language;
    const { default: messages } = await loaders[language]();
    if (wanted !== language) return;
    bundle = { language, messages, formats: new Map() };
    document.documentElement.lang = language;
}

/**
 * Show the chosen language, or else the browser's; fall back to English if it cannot be loaded. Call this once, before
 * anything is rendered.
 */
export async function startLanguage(): Promise<void> {
    const first = settings.language ?? browserLanguage();
    try {
        await show(first);
    } catch (error) {
        if (first === "en") throw error;
        await show("en");
    }
}

/** Show a language and save it as the visitor's choice. */
export async function setLanguage(language: Language): Promise<void> {
    await loadFonts(language);
    await show(language);
    settings.language = language;
}
