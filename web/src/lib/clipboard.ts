/** Copies text to the clipboard in every browser, even over plain HTTP. */

/**
 * Copy text, and return whether it worked. The text may be a promise, such as a server response. Pass the promise
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

/** Rejects on pages that are not served over HTTPS, where browsers do not provide `navigator.clipboard`. */
async function writeToClipboard(text: string | Promise<string>): Promise<void> {
    if (typeof text === "string") return navigator.clipboard.writeText(text);
    if (typeof ClipboardItem === "undefined") return navigator.clipboard.writeText(await text);
    const blob = text.then((content) => new Blob([content], { type: "text/plain" }));
    // Avoid an unhandled rejection if the browser refuses without reading the promise; `copyText` handles the error.
    blob.catch(() => undefined);
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
}

/** The legacy method: select the text in an off-screen field and copy the selection. */
function copySelection(text: string): boolean {
    const focused = document.activeElement;
    const field = document.createElement("textarea");
    field.value = text;
    field.readOnly = true;
    field.style.cssText = "position: fixed; top: 0; left: -100vw;";
    // While a dialog is open, nothing outside it can be focused.
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
