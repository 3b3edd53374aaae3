import { textChunk, type Language, type TextChunk } from "../../lib/i18n";
import type { LearnText } from "./contents";

/** The rules are long, so each language is a separate chunk, fetched when a rules page needs it. */
const loaders: Record<Language, () => Promise<{ default: LearnText }>> = {
    en: () => import("./text/en"),
    fr: () => import("./text/fr"),
    de: () => import("./text/de"),
    ru: () => import("./text/ru"),
};

/** The rules text in the page language. Call this during component initialisation. */
export function learnText(): TextChunk<LearnText> {
    return textChunk(loaders);
}
