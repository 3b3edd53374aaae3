import { language, type Language } from "../../lib/i18n";
import type { LearnText } from "./contents";

/** The rules are long: each language is a chunk of its own, fetched when a rules page needs it. */
const loaders: Record<Language, () => Promise<{ default: LearnText }>> = {
    en: () => import("./text/en"),
    fr: () => import("./text/fr"),
    de: () => import("./text/de"),
    ru: () => import("./text/ru"),
};

interface Shelf {
    /** The text in the current language; in the language before, until the new text has arrived. */
    readonly text: LearnText | null;
    readonly failed: boolean;
    retry(): void;
}

/** The text of the rules in the language of the page. Call it while a component is being set up. */
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
