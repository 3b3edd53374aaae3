/** The drawings: one sheet of SVG symbols, shown by `<use href={symbol(name)}>`. */
import { DRAWING_SIZES, ID_PREFIX, SHEET_ID } from "./generated/geometry";

/** The `href` of a `<use>` element that shows a drawing, such as `megalith-DR`. */
export function symbol(name: string): string {
    return `#${ID_PREFIX}${name}`;
}

/** The size of a drawing in board units. All drawings of a kind, such as the tiles, have the same size. */
export function sizeOf(name: string): { readonly width: number; readonly height: number } {
    const kind = name.split("-")[0] as keyof typeof DRAWING_SIZES;
    return DRAWING_SIZES[kind];
}

/**
 * Put the sheet into a document or shadow root, unless it is already there. Symbols must be in the same tree as the
 * elements that use them. A page whose HTML contains the sheet does not need this.
 */
export function installSheet(root: Document | ShadowRoot, svg: string): void {
    if (root.getElementById(SHEET_ID)) return;
    const holder = document.createElement("div");
    holder.innerHTML = svg;
    const sheet = holder.firstElementChild as SVGSVGElement;
    sheet.style.position = "absolute";
    (root instanceof Document ? root.body : root).prepend(sheet);
}
