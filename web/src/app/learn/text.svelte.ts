import { language, type Language } from "../../lib/i18n";
import type { LearnText } from "./contents";

/** The rules are long, so each language is a separate chunk, fetched when a rules page needs it. */
const loaders: Record<Language, () => Promise<{ default: LearnText }>> = {
    en: () => import("./text/en"),
    fr: () => import("./text/fr"),
    de: () => import("./text/de"),
    ru: () => import("./text/ru"),
};

interface Shelf {
    /** The text in the current language, or in the previous language until the new text has loaded. */
    readonly text: LearnText | null;
    readonly failed: boolean;
    retry(): void;
}

/** The rules text in the page language. Call this while a component initialises. */
export function learnText(): Shelf {
    let text = $state.raw<LearnText | null>(null);
    let failed = $state(false);
    let attempt = $state(0);
    $effect(() => {
        void attempt;
        let stale = false;
        loaders[language()]().then(
            (module) => {
                if (stale) return;
                text = module.default;
                failed = false;
            },
            () => {
                if (!stale) failed = true;
            },
        );
        return () => {
            stale = true;
        };
    });
    return {
        get text() {
            return text;
        },
        get failed() {
            return failed;
        },
        retry: () => void (attempt += 1),
    };
}
