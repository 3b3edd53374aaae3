import { afterEach, describe, expect, test, vi } from "vitest";

import { copyText } from "./clipboard";

afterEach(() => {
    vi.unstubAllGlobals();
    Reflect.deleteProperty(document, "execCommand");
});

/** Fake a clipboard that, like Safari's, refuses access after the click has been handled. Returns the copied texts. */
function safari() {
    let handling = true;
    const copied: string[] = [];
    const refuse = () => {
        if (!handling) throw new DOMException("not allowed by the user agent", "NotAllowedError");
    };
    class Item {
        constructor(readonly types: Record<string, Promise<Blob>>) {}
    }
    vi.stubGlobal("ClipboardItem", Item);
    vi.stubGlobal("navigator", {
        clipboard: {
            async writeText(text: string) {
                refuse();
                copied.push(text);
            },
            async write([item]: [Item]) {
                refuse();
                copied.push((await readBlob(await item.types["text/plain"])) ?? "");
            },
        },
    });
    queueMicrotask(() => (handling = false));
    return copied;
}

/** Read a blob. jsdom's blobs have no `text()`. */
function readBlob(blob: Blob | undefined): Promise<string> | undefined {
    return (
        blob &&
        new Promise((done) => {
            const reader = new FileReader();
            reader.onload = () => done(String(reader.result));
            reader.readAsText(blob);
        })
    );
}

/** Fake the legacy browser command, which jsdom does not have. Returns the copied texts. */
function oldCommand(works = true) {
    const copied: string[] = [];
    Object.defineProperty(document, "execCommand", {
        configurable: true,
        value: () => {
            const field = document.activeElement as HTMLTextAreaElement;
            copied.push(field.value.slice(field.selectionStart, field.selectionEnd));
            return works;
        },
    });
    return copied;
}

describe("Safari", () => {
    test("copies text", async () => {
        const copied = safari();
        expect(await copyText("a text")).toBe(true);
        expect(copied).toEqual(["a text"]);
    });

    test("copies a server response that arrives after the click", async () => {
        const copied = safari();
        const answer = new Promise<string>((done) => setTimeout(() => done("a record"), 20));
        expect(await copyText(answer)).toBe(true);
        expect(copied).toEqual(["a record"]);
    });
});

describe("over plain HTTP, where there is no clipboard,", () => {
    test("the legacy command copies the text and restores the focus", async () => {
        vi.stubGlobal("navigator", {});
        const copied = oldCommand();
        const button = document.body.appendChild(document.createElement("button"));
        button.focus();
        expect(await copyText(Promise.resolve("a record"))).toBe(true);
        expect(copied).toEqual(["a record"]);
        expect(button).toHaveFocus();
        expect(document.querySelector("textarea")).toBeNull();
        button.remove();
    });

    test("copyText reports that nothing was copied", async () => {
        vi.stubGlobal("navigator", {});
        oldCommand(false);
        expect(await copyText("a text")).toBe(false);
    });
});

test("copyText rejects if the text does not arrive", async () => {
    safari();
    await expect(copyText(Promise.reject(new Error("no response")))).rejects.toThrow("no response");
});
