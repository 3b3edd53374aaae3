/** Where the pages come from: a Cairn server, or a static site (`make site`) without one. */

function metaOf(name: string): string | null {
    return document.querySelector(`meta[name="${name}"]`)?.getAttribute("content") ?? null;
}

/** Whether the pages come from a server. */
export const hasServer: boolean = metaOf("cairn-host") !== "static";

/** The id of this build of the pages; `null` on a development server. */
export const build: string | null = metaOf("cairn-build");

/** The URL of a file next to index.html. A static site may be in any folder; a server is always at the root. */
export function fileAddress(name: string): string {
    return new URL(name, new URL(hasServer ? "/" : ".", window.location.href)).href;
}
