import { tick } from "svelte";

import { hasServer } from "./host";
import { linkedId } from "./ids";
import { rememberedScroll, rememberScroll, saveScroll } from "./scroll";
import { VARIANTS, type Variant } from "./settings.svelte";
import { Throttle } from "./throttle";

/** The page at a URL, with its parameters. */
export type Route =
    | { page: "home" }
    | { page: "new"; two: boolean }
    | { page: "game"; id: string; step: number | null; replay: boolean }
    | { page: "games"; search: string; state: GameState | ""; variant: Variant | "" }
    | { page: "statistics" }
    | { page: "setup"; position: string | null; shared: boolean }
    | {
          page: "analysis";
          game: string | null;
          position: string | null;
          packed: string | null;
          study: string | null;
          step: number | null;
      }
    | { page: "learn" }
    | { page: "megaliths" }
    | { page: "performance" }
    | { page: "tutorial"; lesson: string | null }
    | { page: "puzzles" }
    | { page: "puzzle"; id: string; theme: string | null }
    | { page: "mistakes" }
    | { page: "settings" }
    | { page: "review"; id: string }
    | { page: "lobby"; friend: boolean }
    | { page: "join"; invite: string }
    | { page: "player"; name: string }
    | { page: "leaders" }
    | { page: "account" }
    | { page: "reset"; token: string }
    | { page: "admin" }
    | { page: "not-found" };

export const GAME_STATES = ["running", "finished"] as const;
export type GameState = (typeof GAME_STATES)[number];

export type PageName = Route["page"];

/** The props of a page: the parameters in its URL. */
export type PageProps<Name extends PageName> = Omit<Extract<Route, { page: Name }>, "page">;

/** The route for a URL on this site. */
export function routeOf(url: URL): Route {
    const path = url.pathname.replace(/\/+$/, "") || "/";
    const game = /^\/game\/([^/]+)$/.exec(path);
    const step = stepOf(url.searchParams.get("step"));
    if (game?.[1]) return { page: "game", id: decoded(game[1]), step, replay: url.searchParams.has("replay") };
    const reviewed = /^\/review\/([^/]+)$/.exec(path);
    if (reviewed?.[1]) return { page: "review", id: decoded(reviewed[1]) };
    // The game is in the fragment, so that no server sees it.
    if (path === "/review") return { page: "review", id: linkedId(url.hash.slice(1)) };
    if (path === "/replay") return { page: "game", id: linkedId(url.hash.slice(1)), step, replay: true };
    if (path === "/puzzles/mistakes") return { page: "mistakes" };
    const puzzle = /^\/puzzles\/(\w+)$/.exec(path);
    if (puzzle?.[1]) return { page: "puzzle", id: puzzle[1], theme: url.searchParams.get("theme") };
    const named = /^\/(join|player|reset)\/([^/]+)$/.exec(path);
    const name = decoded(named?.[2] ?? "");
    if (named?.[1] === "join") return { page: "join", invite: name };
    if (named?.[1] === "player") return { page: "player", name };
    // A password reset link may have its secret in the fragment, which proxies do not log.
    if (named?.[1] === "reset" || path === "/reset") return { page: "reset", token: name || url.hash.slice(1) };
    switch (path) {
        case "/lobby":
            return { page: "lobby", friend: url.searchParams.has("friend") };
        case "/leaders":
        case "/account":
        case "/admin":
            return { page: path.slice(1) as "leaders" | "account" | "admin" };
        case "/":
            return { page: "home" };
        case "/new":
            return { page: "new", two: url.searchParams.has("two") };
        case "/games":
            return {
                page: "games",
                search: url.searchParams.get("search") ?? "",
                state: oneOf(GAME_STATES, url.searchParams.get("state")) ?? "",
                variant: oneOf(VARIANTS, url.searchParams.get("variant")) ?? "",
            };
        case "/games/statistics":
            return { page: "statistics" };
        case "/setup":
            return { page: "setup", position: url.searchParams.get("position"), shared: false };
        case "/position":
            return { page: "setup", position: url.searchParams.get("p"), shared: true };
        case "/analysis":
            return {
                page: "analysis",
                game: url.searchParams.get("game"),
                position: url.searchParams.get("position"),
                // The study is in the fragment, so that no server sees it.
                packed: url.hash.slice(1) || null,
                study: url.searchParams.get("study"),
                step,
            };
        case "/learn":
            return { page: "learn" };
        case "/learn/megaliths":
            return { page: "megaliths" };
        case "/learn/megaliths/performance":
            return { page: "performance" };
        case "/tutorial":
            return { page: "tutorial", lesson: url.searchParams.get("lesson") };
        case "/puzzles":
            return { page: "puzzles" };
        case "/settings":
            return { page: "settings" };
        default:
            return { page: "not-found" };
    }
}

/**
 * The value for the `href` of a link to a page: `href("/learn")`. A static site cannot serve the paths of our pages, so
 * its links have the path in the fragment: `#/learn`.
 */
export function href(path: string): string {
    return hasServer ? path : `#${path}`;
}

/** The full URL of a page, for sharing. */
export function shareAddress(path: string): string {
    return new URL(href(path), window.location.href).href;
}

/** Convert a browser URL to the URL of the page, with the page's own path, query and fragment. */
function pageUrl(address: URL | Location): URL {
    if (hasServer) return new URL(address.href);
    return new URL(address.hash.startsWith("#/") ? address.hash.slice(1) : "/", address.origin);
}

/** The URL that the browser shows for a page. */
function browserUrl(page: URL): URL {
    return hasServer ? page : new URL(`#${page.pathname}${page.search}${page.hash}`, window.location.href);
}

/** A URL that contains a position: `/position?p=…`, `/setup?position=…`. */
export function positionAddress(path: string, name: string, position: string): string {
    const query = new URLSearchParams({ [name]: position }).toString();
    // A query may contain these characters unescaped, which makes the URL easier to read.
    return `${path}?${query.replaceAll("%2F", "/").replaceAll("%2C", ",").replaceAll("%28", "(").replaceAll("%29", ")")}`;
}

function oneOf<Value extends string>(values: readonly Value[], text: string | null): Value | undefined {
    return values.find((value) => value === text);
}

/** Decode a part of a URL; a malformed part is returned unchanged. */
export function decoded(text: string): string {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}

function stepOf(text: string | null): number | null {
    return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : null;
}

let url = $state.raw(pageUrl(window.location));
let visits = $state(0);
let scrollTop = $state<number | null>(null);
const route = $derived(routeOf(url));

export const router = {
    /** The page to show. */
    get route(): Route {
        return route;
    },
    /** The URL of the current page. On a static site, the browser shows a different URL; see {@link href}. */
    get url(): URL {
        return url;
    },
    /** How many times a page has been opened, counting repeat visits to the same page. */
    get visits(): number {
        return visits;
    },
    /** The page's scroll position when the visitor left it, if they came back to it with Back or Forward. */
    get scrollTop(): number | null {
        return scrollTop;
    },
};

/** The key of the current history entry; scroll positions are stored under it. */
function entryKey(): string {
    const { key } = Object(window.history.state) as { key?: string };
    return key ?? "";
}

function newEntry(): { key: string } {
    return { key: Math.random().toString(36).slice(2) };
}

/** Go to a URL on this site: `navigate("/game/xyz")`. `replace` overwrites the current history entry. */
export function navigate(address: string, options: { replace?: boolean } = {}): void {
    const next = new URL(address, url);
    const samePage = next.pathname === url.pathname;
    addressWrites.flush();
    rememberScroll(entryKey());
    if (options.replace)
        window.history.replaceState(samePage ? window.history.state : newEntry(), "", browserUrl(next));
    else window.history.pushState(newEntry(), "", browserUrl(next));
    url = next;
    scrollTop = null;
    if (!samePage) visits += 1;
}

/** Change only the query of the current page, without a new history entry: `setQuery({ step: 12 })`. */
export function setQuery(query: Record<string, string | number | null>): void {
    const next = new URL(url);
    for (const [name, value] of Object.entries(query)) {
        if (value === null) next.searchParams.delete(name);
        else next.searchParams.set(name, String(value));
    }
    // Sort the parameters, so that the same page always has the same URL.
    next.searchParams.sort();
    if (next.href === url.href) return;
    url = next;
    addressWrites.run(() => window.history.replaceState(window.history.state, "", browserUrl(url)));
}

/** The minimum time between changes of the URL, in milliseconds. Safari allows at most 100 changes in 30 seconds. */
const SHORTEST_PAUSE = 350;
const addressWrites = new Throttle(SHORTEST_PAUSE);

/** Handle links within the site and the browser's back and forward buttons. Call once; returns a stop function. */
export function startRouter(): () => void {
    startHistory();
    const onPop = (): void => {
        // The browser has already switched history entries, so a query not yet written belongs to the old entry.
        addressWrites.cancel();
        url = pageUrl(window.location);
        scrollTop = rememberedScroll(entryKey());
        visits += 1;
    };
    const onScroll = (): void => rememberScroll(entryKey());
    const onHide = (): void => {
        addressWrites.flush();
        saveScroll();
    };
    const onClick = (event: MouseEvent): void => {
        if (event.defaultPrevented || event.button !== 0) return;
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        const link = event.target instanceof Element ? event.target.closest("a") : null;
        if (!link || link.target || link.hasAttribute("download") || link.origin !== window.location.origin) return;
        if (hasServer && link.pathname.startsWith("/api/")) return;
        if (!hasServer && link.pathname !== window.location.pathname) return;
        const next = placeOf(link);
        // Let the browser follow a link to a place on the same page, except on a static site.
        const samePage = next.hash && next.pathname === url.pathname && next.search === url.search;
        if (samePage && hasServer) return;
        event.preventDefault();
        navigate(next.href);
        if (samePage) void showPlace(next.hash.slice(1));
    };
    window.addEventListener("popstate", onPop);
    window.addEventListener("scroll", onScroll, { passive: true });
    window.addEventListener("pagehide", onHide);
    document.addEventListener("click", onClick);
    return () => {
        window.removeEventListener("popstate", onPop);
        window.removeEventListener("scroll", onScroll);
        window.removeEventListener("pagehide", onHide);
        document.removeEventListener("click", onClick);
    };
}

/** Take over scroll restoration from the browser, which would scroll before the page is rendered. */
function startHistory(): void {
    window.history.scrollRestoration = "manual";
    if (!entryKey()) window.history.replaceState({ ...window.history.state, ...newEntry() }, "");
    scrollTop = rememberedScroll(entryKey());
}

/** The target of a link: a page, and perhaps a place on it. A bare fragment is a place on the current page. */
function placeOf(link: HTMLAnchorElement): URL {
    const isPlace = !hasServer && !link.hash.startsWith("#/");
    return isPlace ? new URL(link.hash, url) : pageUrl(new URL(link.href));
}

/** Scroll to an element and focus it, as browsers do for a fragment. */
async function showPlace(id: string): Promise<void> {
    await tick();
    const place = document.getElementById(decoded(id));
    place?.scrollIntoView();
    place?.focus({ preventScroll: true });
}
