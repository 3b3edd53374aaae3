/** Which page an address names, with what the page needs to know. */
export type Route =
    | { page: "home" }
    | { page: "new"; two: boolean }
    | { page: "game"; id: string; step: number | null }
    | { page: "games" }
    | { page: "setup"; position: string | null; shared: boolean }
    | { page: "learn" }
    | { page: "megaliths" }
    | { page: "settings" }
    | { page: "lobby"; friend: boolean }
    | { page: "join"; invite: string }
    | { page: "player"; name: string }
    | { page: "leaders" }
    | { page: "account" }
    | { page: "reset"; token: string }
    | { page: "admin" }
    | { page: "not-found" };

export type PageName = Route["page"];

/** The props of a page: what its address says. */
export type PageProps<Name extends PageName> = Omit<Extract<Route, { page: Name }>, "page">;

/** The route of an address of this site. */
export function routeOf(url: URL): Route {
    const path = url.pathname.replace(/\/+$/, "") || "/";
    const game = /^\/game\/([^/]+)$/.exec(path);
    if (game?.[1]) return { page: "game", id: decoded(game[1]), step: stepOf(url.searchParams.get("step")) };
    const named = /^\/(join|player|reset)\/([^/]+)$/.exec(path);
    const name = decoded(named?.[2] ?? "");
    if (named?.[1] === "join") return { page: "join", invite: name };
    if (named?.[1] === "player") return { page: "player", name };
    // The secret of a link for a new password may stand behind the #, where no log of a proxy sees it.
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
            return { page: "games" };
        case "/setup":
            return { page: "setup", position: url.searchParams.get("position"), shared: false };
        case "/position":
            return { page: "setup", position: url.searchParams.get("p"), shared: true };
        case "/learn":
            return { page: "learn" };
        case "/learn/megaliths":
            return { page: "megaliths" };
        case "/settings":
            return { page: "settings" };
        default:
            return { page: "not-found" };
    }
}

/** An address that carries a position: `/position?p=…`, `/setup?position=…`. */
export function positionAddress(path: string, name: string, position: string): string {
    const query = new URLSearchParams({ [name]: position }).toString();
    // These may stand in a query as they are, and people read addresses.
    return `${path}?${query.replaceAll("%2F", "/").replaceAll("%2C", ",").replaceAll("%28", "(").replaceAll("%29", ")")}`;
}

/** A part of an address as it is read; what is no code for a character stays as it is. */
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

let url = $state.raw(new URL(window.location.href));
let visits = $state(0);
const route = $derived(routeOf(url));

export const router = {
    /** The page to show. */
    get route(): Route {
        return route;
    },
    /** The address as it stands. */
    get url(): URL {
        return url;
    },
    /** How often another page was gone to; changes also when the same page is asked for again. */
    get visits(): number {
        return visits;
    },
};

/** Go to an address of this site: `navigate("/game/xyz")`. `replace` leaves no entry to come back to. */
export function navigate(address: string, options: { replace?: boolean } = {}): void {
    const next = new URL(address, window.location.href);
    const samePage = next.pathname === url.pathname;
    window.history[options.replace ? "replaceState" : "pushState"](null, "", next);
    url = next;
    if (!samePage) visits += 1;
}

/** Change only the query of the running page, without an entry in the history: `setQuery({ step: 12 })`. */
export function setQuery(query: Record<string, string | number | null>): void {
    const next = new URL(url);
    for (const [name, value] of Object.entries(query)) {
        if (value === null) next.searchParams.delete(name);
        else next.searchParams.set(name, String(value));
    }
    if (next.href !== url.href) navigate(next.href, { replace: true });
}

/** Follow links inside the page and the browser's own buttons. Called once; the result ends it. */
export function startRouter(): () => void {
    const onPop = (): void => {
        url = new URL(window.location.href);
        visits += 1;
    };
    const onClick = (event: MouseEvent): void => {
        if (event.defaultPrevented || event.button !== 0) return;
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        const link = event.target instanceof Element ? event.target.closest("a") : null;
        if (!link || link.target || link.hasAttribute("download") || link.origin !== window.location.origin) return;
        if (link.pathname.startsWith("/api/")) return;
        // A link to a place on the running page stays the browser's.
        if (link.hash && link.pathname === url.pathname && link.search === url.search) return;
        event.preventDefault();
        navigate(link.href);
    };
    window.addEventListener("popstate", onPop);
    document.addEventListener("click", onClick);
    return () => {
        window.removeEventListener("popstate", onPop);
        document.removeEventListener("click", onClick);
    };
}
