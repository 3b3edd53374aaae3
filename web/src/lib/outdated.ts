/**
 * After a deployment, the server has new scripts, and the scripts of a page that was opened earlier may be gone. Such a
 * page has to be reloaded.
 */

/** The URL of the script that this page was started with; its name contains a hash of the build. */
function entryScript(): string | null {
    return document.querySelector('script[type="module"][src]')?.getAttribute("src") ?? null;
}

/** How the server's build compares with the one that is running here. */
async function compareBuilds(): Promise<"same" | "newer" | "unreachable"> {
    try {
        const answer = await fetch("/", { cache: "no-store" });
        if (!answer.ok) return "unreachable";
        const entry = entryScript();
        return entry && !(await answer.text()).includes(`"${entry}"`) ? "newer" : "same";
    } catch {
        return "unreachable";
    }
}

let comparing: Promise<boolean> | null = null;

/**
 * Reload the page if the server has a newer build. Call this when a script could not be loaded. Each history entry is
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

/** Reload the page, unless the server is unreachable: then the browser would show its own error page instead. */
export async function reloadIfReachable(): Promise<boolean> {
    if ((await compareBuilds()) === "unreachable") return false;
    window.location.reload();
    return true;
}
