/** Keyboard commands of the analysis board. */
export type AnalysisKey =
    "previous" | "next" | "first" | "last" | "above" | "below" | "engine" | "best" | "threats" | "flip" | "cancel";

const KEYS: Readonly<Record<string, AnalysisKey>> = {
    ArrowLeft: "previous",
    ArrowRight: "next",
    ArrowUp: "above",
    ArrowDown: "below",
    Home: "first",
    End: "last",
    Escape: "cancel",
};
const LETTERS: Readonly<Record<string, AnalysisKey>> = { e: "engine", n: "best", t: "threats", f: "flip" };

/** The command for a key. On the board, the arrow keys move the focus; letters can be switched off. */
export function analysisKey(event: KeyboardEvent, letters: boolean): AnalysisKey | null {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return null;
    const target = event.target instanceof Element ? event.target : null;
    if (document.querySelector("dialog[open]") || target?.closest("dialog, input, textarea, select")) return null;
    const named = KEYS[event.key];
    if (named) return named !== "cancel" && target?.closest("[data-pick]") ? null : named;
    return letters ? (LETTERS[event.key.toLowerCase()] ?? null) : null;
}
