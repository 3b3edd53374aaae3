/**
 * The drawings: one sheet of symbols, shown by `<use href="#…">`. It stands in the page itself (vite.config.ts puts it
 * there), so that it is read while the scripts are still on their way.
 */

/** The size of a drawing, in units; that of a piece for a name that is not on the sheet. */
export function sizeOf(name: string): { width: number; height: number } {
    const [, , width = 100, height = 104] =
        document.getElementById(name)?.getAttribute("viewBox")?.split(" ").map(Number) ?? [];
    return { width, height };
}
