/** Keyboard shortcuts of the play page. */
export type KeyCommand =
    | "undo"
    | "undoTurn"
    | "confirm"
    | "keep"
    | "again"
    | "flip"
    | "board"
    | "hint"
    | "threats"
    | "help"
    | "cancel"
    | "previous"
    | "next"
    | "first"
    | "last";

const LETTERS: Readonly<Record<string, KeyCommand>> = {
    u: "undo",
    c: "confirm",
    k: "keep",
    r: "again",
    f: "flip",
    b: "board",
    h: "hint",
    t: "threats",
    "?": "help",
};
const ARROWS: Readonly<Record<string, KeyCommand>> = {
    ArrowLeft: "previous",
    ArrowRight: "next",
    Home: "first",
    End: "last",
};

/** Elements in which letters, Enter and Space are text input. */
const INPUTS = "input, textarea, select, [contenteditable]";

const elementOf = ({ target }: KeyboardEvent): Element | null => (target instanceof Element ? target : null);

/** Whether a key moves the focus or activates the focused element. In an input, only Tab has this effect. */
export function isFocusKey(event: KeyboardEvent): boolean {
    if (event.key === "Tab") return true;
    return (event.key === "Enter" || event.key === " ") && !elementOf(event)?.closest(INPUTS);
}

/** Whether a key skips an animation. Keys of the browser, such as Ctrl+R and F5, and Tab do not. */
export function isSkipKey({ key, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
    return !ctrlKey && !altKey && !metaKey && !/^(F\d+|Tab|Shift|Control|Alt|AltGraph|Meta)$/.test(key);
}

/** Whether an open menu would be closed by Escape. */
function isPopoverOpen(): boolean {
    try {
        return document.querySelector(":popover-open") !== null;
    } catch {
        return false; // The browser does not support popovers.
    }
}

/**
 * The command for a key. Letter shortcuts can be switched off. The arrow keys move across the board while it has
 * keyboard focus; after a pointer has been used, they step through the game.
 */
export function keyCommand(event: KeyboardEvent, byPointer: boolean, letters: boolean): KeyCommand | null {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return null;
    const target = elementOf(event);
    if (document.querySelector("dialog[open]") || isPopoverOpen()) return null; // They handle their own keys.
    if (target?.closest(`dialog, ${INPUTS}`)) return null;
    if (event.key === "Escape") return target?.closest("[data-pick]") ? null : "cancel";
    const arrow = ARROWS[event.key];
    if (arrow) return target?.closest("[data-pick]") && !byPointer ? null : arrow;
    if (!letters) return null;
    const letter = LETTERS[event.key.toLowerCase()];
    return letter === "undo" && event.shiftKey ? "undoTurn" : (letter ?? null);
}
