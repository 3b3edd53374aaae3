export { LANGUAGES, LANGUAGE_NAMES, browserLanguage, isLanguage, type Language } from "./languages";
export { textChunk, type TextChunk } from "./textChunk.svelte";
export {
    formatDate,
    language,
    setLanguage,
    startLanguage,
    t,
    withMessages,
    type MessageLoaders,
    type Params,
} from "./translate.svelte";
export type { MessageKey } from "./keys";
