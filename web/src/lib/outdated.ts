/**
 * After a deployment the server has other scripts, and those of a page opened before may be gone. Then only loading the
 * page again helps.
 */

/** The address of the script that this page was started with; its name contains a hash of the build. */
function entryScript(): string | null {
    return document.querySelector('script[type="module"][src]')?.getAttribute("src") ?? null;
}

/** How the server's build compares with the one that runs here. */
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
 * For when a script could not be fetched: load the page again if the server has a newer build. Each entry of the history
 * is reloaded at most once. The result says whether the page is being loaded again.
 */
export function reloadIfOutdated(): Promise<boolean> {
    comparing ??= reload().finally(() => (comparing = null));
    return comparing;
}

async function reload(): Promise<boolean> {
    const state = Object(window.history.state) as { reloaded?: boolean };
    if (state.reloaded || (await compareBuilds()) !== "newer") return false;
    // The history keeps this through the reload, also where storage is blocked.
    window.history.replaceState({ ...state, reloaded: true }, "");
    window.location.reload();
    return true;
}

/** Load the page again, unless the server cannot be reached: then the browser would show its own error page instead. */
export async function reloadIfReachable(): Promise<boolean> {
    if ((await compareBuilds()) === "unreachable") return false;
    window.location.reload();
    return true;
}
