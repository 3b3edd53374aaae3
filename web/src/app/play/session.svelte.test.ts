import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { loadSource } from "../../lib/source";
import { FakeSocket } from "../../test/socket";
import { PlaySession } from "./session.svelte";

let session: PlaySession;
let stop: () => void;

beforeEach(async () => {
    FakeSocket.install();
    await loadSource("g");
    stop = $effect.root(() => {
        session = new PlaySession("g", null);
    });
});

afterEach(() => {
    stop();
    document.body.innerHTML = "";
    vi.unstubAllGlobals();
});

/** Use a pointer and then press a key on an element. Returns whether the page still treats the pointer as in use. */
function press(key: string, on = "<button>"): boolean {
    document.body.innerHTML = on;
    const target = document.body.querySelector("[data-target]") ?? document.body.firstElementChild ?? document.body;
    target.dispatchEvent(new MouseEvent("pointerdown", { bubbles: true }));
    session.inspector.byPointer = true;
    target.addEventListener("keydown", (event) => session.key(event as KeyboardEvent, () => undefined));
    target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    return session.inspector.byPointer;
}

describe("the keyboard takes over from the pointer", () => {
    test.each(["Tab", "Enter", " ", "b", "B"])("with %j", (key) => {
        expect(press(key)).toBe(false);
    });

    test("with Tab in the chat, because Tab moves the focus out of the chat", () => {
        expect(press("Tab", "<input>")).toBe(false);
    });
});

describe("the pointer stays in use", () => {
    test.each(["b", "B", " ", "Enter"])("when somebody types %j in the chat", (key) => {
        for (const on of ["<input>", "<textarea></textarea>", '<p contenteditable="true"></p>']) {
            expect(press(key, on), on).toBe(true);
        }
    });

    test("when a key does nothing", () => {
        expect(press("x")).toBe(true);
        expect(press("u")).toBe(true);
    });
});
