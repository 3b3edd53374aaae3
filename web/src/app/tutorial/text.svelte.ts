import { textChunk, type Language, type TextChunk } from "../../lib/i18n";
import type { TutorialText } from "./lessons";

/** Each language is a separate chunk; a visitor loads one. */
const loaders: Record<Language, () => Promise<{ default: TutorialText }>> = {
    en: () => import("./text/en"),
    fr: () => import("./text/fr"),
    de: () => import("./text/de"),
    ru: () => import("./text/ru"),
};

/** The lesson texts in the page language. Call this during component initialisation. */
export function tutorialText(): TextChunk<TutorialText> {
    return textChunk(loaders);
}
