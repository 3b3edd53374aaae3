import entryMessages from "virtual:messages";

import { loadFonts } from "../fonts";
import { settings } from "../settings.svelte";
import { compile } from "./format";
import type { MessageKey, Messages } from "./keys";
import { browserLanguage, type Language } from "./languages";

export type Params = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Loads the messages of a part of the site in each language: `import messages from "./HomePage.svelte?messages"`. */
export type MessageLoaders = Record<Language, () => Promise<{ default: Messages }>>;

interface Bundle {
    language: Language;
    messages: Record<string, string>;
    formats: Map<string, ReturnType<typeof compile>>;
}

let bundle = $state.raw<Bundle>({ language: "en", messages: {}, formats: new Map() });
/** The language requested last. Earlier requests that finish later are ignored. */
let wanted: Language = "en";
/** Ends when the requested language is shown, or cannot be loaded. */
let switching: Promise<unknown> = Promise.resolve();
/** The parts of the site whose messages are needed. */
const parts = new Set<MessageLoaders>([entryMessages]);

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
function show(language: Language): Promise<void> {
    wanted = language;
    const shown = replaceBundle(language);
    switching = shown.catch(() => undefined);
    return shown;
}

async function replaceBundle(language: Language): Promise<void> {
    let loaded: readonly { default: Messages }[] = [];
    try {
        // A page that is opened meanwhile adds its messages.
        while (loaded.length < parts.size) loaded = await Promise.all([...parts].map((part) => part[language]()));
    } catch (error) {
        if (wanted === language) wanted = bundle.language;
        throw error;
    }
    if (wanted !== language) return;
    const messages = Object.assign({}, ...loaded.map((each) => each.default)) as Bundle["messages"];
    bundle = { language, messages, formats: new Map() };
    document.documentElement.lang = language;
}

/**
 * Load a part of the site together with its messages. When the promise is fulfilled, the messages are available, so that
 * the part never shows a key instead of a text. Later changes of the language include them.
 */
export async function withMessages<Part>(messages: MessageLoaders, load: () => Promise<Part>): Promise<Part> {
    const [part] = await Promise.all([load(), addMessages(messages)]);
    return part;
}

async function addMessages(part: MessageLoaders): Promise<void> {
    for (;;) {
        const language = wanted;
        const { default: messages } = await part[language]();
        parts.add(part);
        if (bundle.language !== language) await switching;
        if (bundle.language !== language) continue;
        // Nothing shows these messages yet, so this need not be reactive.
        Object.assign(bundle.messages, messages);
        return;
    }
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
