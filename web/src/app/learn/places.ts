/** Places on a long page: going to one by a link, and by the address with which the page was opened. */
import { tick } from "svelte";

import { decoded, navigate } from "../../lib/router.svelte";

function isReduced(): boolean {
    return window.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;
}

/** The place that the address names. */
export function placeInAddress(url: URL): string {
    return decoded(url.hash.slice(1));
}

/** Bring a place into view and put the focus there. */
export async function show(id: string, smooth = false): Promise<void> {
    await tick();
    const place = document.getElementById(id);
    if (!place) return;
    place.scrollIntoView({ block: "start", behavior: smooth && !isReduced() ? "smooth" : "auto" });
    const heading = place.querySelector<HTMLElement>("h2, h3") ?? place;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
}

/** For the links of an index: stay on the page, name the place in the address, and show it. */
export function follow(event: MouseEvent, id: string): void {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(`#${id}`, { replace: true });
    void show(id, true);
}
