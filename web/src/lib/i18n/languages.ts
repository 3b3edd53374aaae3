/** The languages of the pages. Each has a complete set of messages. */
export const LANGUAGES = ["en", "fr", "de", "ru"] as const;

export type Language = (typeof LANGUAGES)[number];

/** The name of each language in that language. */
export const LANGUAGE_NAMES: Record<Language, string> = {
    en: "English",
    fr: "Français",
    de: "Deutsch",
    ru: "Русский",
};

export function isLanguage(value: unknown): value is Language {
    return LANGUAGES.some((language) => language === value);
}

/** The first of the browser's languages that we support, or else English. */
export function browserLanguage(preferred: readonly string[] = navigator.languages): Language {
    for (const tag of preferred) {
        const primary = tag.toLowerCase().split("-")[0];
        if (isLanguage(primary)) return primary;
    }
    return "en";
}
