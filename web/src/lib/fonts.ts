/** Loads the fonts in web/fonts before they are needed, so that text does not change its font and nothing shifts. */
import type { Language } from "./i18n/languages";

/** How long a page that is otherwise ready waits for its fonts, in milliseconds. */
const LONGEST_WAIT = 300;
const FONTS = ['700 1rem "Cairn Display"', '1rem "Cairn Text"'];

/** Load the fonts for a language, and return whether that worked. Cyrillic letters are in separate files. */
export async function loadFonts(language: Language): Promise<boolean> {
    const letters = language === "ru" ? "Aя" : "A";
    try {
        await Promise.all(FONTS.map((font) => document.fonts.load(font, letters)));
        return true;
    } catch {
        return false;
    }
}

/** Wait briefly for the fonts. If they are late, this page keeps the system fonts. */
export async function waitForFonts(loading: Promise<boolean>): Promise<void> {
    const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), LONGEST_WAIT));
    if (!(await Promise.race([loading, late]))) document.documentElement.dataset.fonts = "system";
}
