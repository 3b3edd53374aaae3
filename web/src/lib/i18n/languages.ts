/** The languages of the pages. A complete set of messages exists for each of them. */
export const LANGUAGES = ["en", "fr", "de", "ru"] as const;

export type Language = (typeof LANGUAGES)[number];

/** Every language in its own words, since that is how somebody looks for it. */
export const LANGUAGE_NAMES: Record<Language, string> = {
    en: "English",
    fr: "Français",
    de: "Deutsch",
    ru: "Русский",
};

export function isLanguage(value: unknown): value is Language {
    return LANGUAGES.some((language) => language === value);
}

/** The first of the browser's languages that the pages speak; English if there is none. */
export function browserLanguage(preferred: readonly string[] = navigator.languages): Language {
    for (const tag of preferred) {
        const primary = tag.toLowerCase().split("-")[0];
        if (isLanguage(primary)) return primary;
    }
    return "en";
}
