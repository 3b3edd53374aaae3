import type { Language } from "./languages";
import { language } from "./translate.svelte";

/** A text that is loaded in the language of the page. */
export interface TextChunk<Text> {
    /** The text in the current language, or in the previous language until the new text has loaded. */
    readonly text: Text | null;
    readonly failed: boolean;
    retry(): void;
}

/**
 * Load a long text, which has a separate chunk for each language, and load it again when the language changes. Call
 * this during component initialisation.
 */
export function textChunk<Text>(loaders: Record<Language, () => Promise<{ default: Text }>>): TextChunk<Text> {
    let text = $state.raw<Text | null>(null);
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
