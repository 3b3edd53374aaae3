/** The keys of the play page. */
export type Command =
    | "undo"
    | "undoTurn"
    | "confirm"
    | "keep"
    | "flip"
    | "board"
    | "help"
    | "cancel"
    | "previous"
    | "next"
    | "first"
    | "last";

const LETTERS: Readonly<Record<string, Command>> = {
    u: "undo",
    c: "confirm",
    k: "keep",
    f: "flip",
    b: "board",
    "?": "help",
};
const ARROWS: Readonly<Record<string, Command>> = {
    ArrowLeft: "previous",
    ArrowRight: "next",
    Home: "first",
    End: "last",
};

/**
 * What a key asks for; single letters ask for nothing if they are switched off. The arrow keys walk over the board while
 * the keyboard is on it; whoever plays with a pointer looks back and forth with them.
 */
export function command(event: KeyboardEvent, byPointer: boolean, letters: boolean): Command | null {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return null;
    const target = event.target instanceof Element ? event.target : null;
    if (document.querySelector("dialog[open]")) return null; // its keys are its own
    if (target?.closest("input, textarea, select, dialog, [contenteditable]")) return null;
    if (event.key === "Escape") return target?.closest("[data-pick]") ? null : "cancel";
    const arrow = ARROWS[event.key];
    if (arrow) return target?.closest("[data-pick]") && !byPointer ? null : arrow;
    if (!letters) return null;
    const letter = LETTERS[event.key.toLowerCase()];
    return letter === "undo" && event.shiftKey ? "undoTurn" : (letter ?? null);
}
