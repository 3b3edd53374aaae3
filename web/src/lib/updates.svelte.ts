/**
 * Detects new builds of the pages. After a deployment, an open page is older than the server, and scripts that it has
 * not fetched yet may no longer exist. Every API response contains the server's build id, and so does `version.json`.
 */
import { build, fileAddress } from "./host";
import { isOnDevice } from "./ids";
import { parseJson } from "./storage";

/** The minimum time between checks for a new build when the page becomes visible, in milliseconds. */
const CHECK_INTERVAL = 3_600_000;

let offered = $state(false);
/** Whether an API response has contained a build id yet. */
let greeted = false;
let checked = Date.now();

export const updates = {
    /** Whether a newer build is available. Reactive. */
    get offered(): boolean {
        return offered;
    },
    /** Hide the offer until the next check. */
    dismiss(): void {
        offered = false;
    },
};

/** Compare the site's current build with the build of this page. */
async function compareBuilds(): Promise<"same" | "newer" | "unreachable"> {
    try {
        const answer = await fetch(fileAddress("version.json"), { cache: "no-store" });
        if (!answer.ok) return "unreachable";
        const found = Object(parseJson(await answer.text())) as { build?: unknown };
        return build === null || found.build === build ? "same" : "newer";
    } catch {
        return "unreachable";
    }
}

/** Offer a newer build, if there is one. */
export async function checkForUpdate(): Promise<void> {
    checked = Date.now();
    if ((await compareBuilds()) === "newer") offered = true;
}

/**
 * Compare the build of this page with the build in an API response. If the first response names a different build,
 * the page came from a service worker's cache and is reloaded, because it may not match the server's API. Later, or in
 * a game on this device, the visitor may be in the middle of something, so a new build is only offered.
 */
export function noticeBuild(headers: Headers): void {
    const named = headers.get("X-Cairn-Build");
    if (build === null || named === null) return;
    const isFirst = !greeted;
    greeted = true;
    if (named === build) return;
    if (isFirst && !isPlayingHere()) void reloadIfOutdated();
    else if (!offered) void checkForUpdate();
}

/** Whether the page shows a game on this device, whose id is at the end of the URL. */
function isPlayingHere(): boolean {
    return isOnDevice(window.location.href.split("/").at(-1) ?? "");
}

let comparing: Promise<boolean> | null = null;

/**
 * Reload the page if the site has a newer build. Call this when a script could not be loaded. Each history entry is
 * reloaded at most once. Resolves to whether the page is being reloaded.
 */
export function reloadIfOutdated(): Promise<boolean> {
    comparing ??= reload().finally(() => (comparing = null));
    return comparing;
}

async function reload(): Promise<boolean> {
    const state = Object(window.history.state) as { reloaded?: boolean };
    if (state.reloaded || (await compareBuilds()) !== "newer") return false;
    // The history state survives the reload, even where storage is blocked.
    window.history.replaceState({ ...state, reloaded: true }, "");
    window.location.reload();
    return true;
}

/** Reload the page, unless the site is unreachable. In that case, the browser would show its own error page. */
export async function reloadIfReachable(): Promise<boolean> {
    if ((await compareBuilds()) === "unreachable") return false;
    window.location.reload();
    return true;
}

/** Check for new builds, and reload the page when a script of this build no longer exists. Call once. */
export function startUpdates(): void {
    // Vite fires this event when a script (for a page, part of a page, or a language) cannot be loaded.
    window.addEventListener("vite:preloadError", () => void reloadIfOutdated());
    document.addEventListener("visibilitychange", () => {
        if (!document.hidden && Date.now() - checked > CHECK_INTERVAL) void checkForUpdate();
    });
}
