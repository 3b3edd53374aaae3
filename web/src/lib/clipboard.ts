/** Copying text to the clipboard, in every browser and also over plain http. */

/**
 * Copy a text, and tell whether it worked. The text may be a promise, such as an answer of the server: pass the promise
 * itself and do not await it, because Safari allows access to the clipboard only while the click is being handled.
 * Rejects only if the promise does, with the same error.
 */
export async function copyText(text: string | Promise<string>): Promise<boolean> {
    try {
        await writeToClipboard(text);
        return true;
    } catch {
        return copySelection(await text);
    }
}

/** Browsers offer `navigator.clipboard` only to pages that come by https; elsewhere this rejects. */
async function writeToClipboard(text: string | Promise<string>): Promise<void> {
    if (typeof text === "string") return navigator.clipboard.writeText(text);
    if (typeof ClipboardItem === "undefined") return navigator.clipboard.writeText(await text);
    const blob = text.then((content) => new Blob([content], { type: "text/plain" }));
    // The browser may refuse before it reads the promise. The caller hears about its rejection anyway.
    blob.catch(() => undefined);
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
}

/** The old way: select the text in a field outside the screen and copy the selection. */
function copySelection(text: string): boolean {
    const focused = document.activeElement;
    const field = document.createElement("textarea");
    field.value = text;
    field.readOnly = true;
    field.style.cssText = "position: fixed; top: 0; left: -100vw;";
    // Inside an open dialog nothing else can be focused.
    (focused?.closest("dialog") ?? document.body).append(field);
    field.focus({ preventScroll: true });
    field.select();
    try {
        return document.execCommand("copy");
    } catch {
        return false;
    } finally {
        field.remove();
        if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
    }
}
