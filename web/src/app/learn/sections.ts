/** Navigates to a section of a long page, from a link or from the page's URL. */
import { tick } from "svelte";

import { decoded, navigate } from "../../lib/router.svelte";

function isReduced(): boolean {
    return window.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;
}

/** The id of the section in the URL. */
export function sectionInAddress(url: URL): string {
    return decoded(url.hash.slice(1));
}

/** Scroll to a section and focus its heading. */
export async function showSection(id: string, smooth = false): Promise<void> {
    await tick();
    const place = document.getElementById(id);
    if (!place) return;
    place.scrollIntoView({ block: "start", behavior: smooth && !isReduced() ? "smooth" : "auto" });
    const heading = place.querySelector<HTMLElement>("h2, h3") ?? place;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
}

/** Handle a click on a table of contents link: put the section into the URL and scroll to it. */
export function goToSection(event: MouseEvent, id: string): void {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(`#${id}`, { replace: true });
    void showSection(id, true);
}
