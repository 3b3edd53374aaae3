import { afterEach, describe, expect, test } from "vitest";

import { isSkipKey, keyCommand } from "./keys";

interface Where {
    on?: string;
    byPointer?: boolean;
    letters?: boolean;
}

function press(key: string, options: KeyboardEventInit & Where = {}): string | null {
    const { on = "<button>", byPointer = false, letters = true, ...init } = options;
    document.body.innerHTML = on;
    const target = document.body.querySelector("[data-target]") ?? document.body.firstElementChild ?? document.body;
    let asked: string | null = null;
    target.addEventListener("keydown", (event) => (asked = keyCommand(event as KeyboardEvent, byPointer, letters)));
    target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, ...init }));
    return asked;
}

afterEach(() => {
    document.body.innerHTML = "";
});

describe("keys", () => {
    test.each([
        ["u", "undo"],
        ["c", "confirm"],
        ["k", "keep"],
        ["f", "flip"],
        ["b", "board"],
        ["h", "hint"],
        ["t", "threats"],
        ["?", "help"],
        ["Escape", "cancel"],
        ["ArrowLeft", "previous"],
        ["ArrowRight", "next"],
        ["Home", "first"],
        ["End", "last"],
    ])("%s triggers %s", (key, name) => {
        expect(press(key)).toBe(name);
    });

    test("Shift+U takes back the whole turn", () => {
        expect(press("U", { shiftKey: true })).toBe("undoTurn");
    });

    test("letter shortcuts can be switched off without affecting other keys", () => {
        for (const key of ["u", "c", "k", "f", "b", "?"]) expect(press(key, { letters: false }), key).toBeNull();
        expect(press("U", { letters: false, shiftKey: true })).toBeNull();
        expect(press("Escape", { letters: false })).toBe("cancel");
        expect(press("ArrowLeft", { letters: false })).toBe("previous");
    });

    test("browser shortcuts are ignored", () => {
        expect(press("u", { ctrlKey: true })).toBeNull();
        expect(press("ArrowLeft", { altKey: true })).toBeNull();
        expect(press("f", { metaKey: true })).toBeNull();
        expect(press("x")).toBeNull();
    });

    test("keys pressed in an input, a slider or a dialog are not commands", () => {
        expect(press("u", { on: "<input>" })).toBeNull();
        expect(press("ArrowLeft", { on: '<input type="range">' })).toBeNull();
        expect(press("u", { on: "<dialog><button data-target></button></dialog>" })).toBeNull();
    });

    test("the focused board handles the arrow keys, unless a pointer was used last", () => {
        const on = '<div data-pick="c3"></div>';
        expect(press("ArrowLeft", { on })).toBeNull();
        expect(press("ArrowLeft", { on, byPointer: true })).toBe("previous");
        expect(press("Escape", { on })).toBeNull();
    });
});

test("every plain key skips an animation, but not the keys of the browser", () => {
    const skips = (key: string, init: KeyboardEventInit = {}) =>
        isSkipKey(new KeyboardEvent("keydown", { key, ...init }));
    expect(["Enter", "Escape", "u", " "].map((key) => skips(key))).toEqual([true, true, true, true]);
    expect(["F5", "Tab", "Shift", "Control"].map((key) => skips(key))).toEqual([false, false, false, false]);
    expect([skips("r", { ctrlKey: true }), skips("r", { metaKey: true })]).toEqual([false, false]);
});
