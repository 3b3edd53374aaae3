/** The drawings: one sheet of symbols, put into the page once, and shown by `<use href="#…">`. */
import sheet from "./art.svg?raw";

const ID = "cairn-art";

/** Put the sheet into the page, if it is not there yet. */
export function mountArt(): void {
    if (typeof document === "undefined" || document.getElementById(ID)) return;
    const parsed = new DOMParser().parseFromString(sheet, "image/svg+xml");
    const symbols = document.importNode(parsed.documentElement, true);
    symbols.id = ID;
    symbols.style.position = "absolute";
    document.body.append(symbols);
}

/** The size of every drawing, in units. */
const sizes = new Map(
    Array.from(sheet.matchAll(/<symbol id="([^"]+)" viewBox="0 0 (\d+) (\d+)"/g), ([, name, width, height]) => [
        name,
        { width: Number(width), height: Number(height) },
    ]),
);

/** The size of a drawing; that of a piece for a name that is not on the sheet. */
export function sizeOf(name: string): { width: number; height: number } {
    return sizes.get(name) ?? { width: 100, height: 104 };
}
