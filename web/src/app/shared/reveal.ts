/** Scrolls an element that has just appeared into view: `{@attach reveal}`. */
export function reveal(element: Element): void {
    element.scrollIntoView({ block: "nearest" });
}
