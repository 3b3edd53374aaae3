import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { navigate, positionAddress, routeOf, router, setQuery, startRouter } from "./router.svelte";

const at = (path: string) => routeOf(new URL(path, "http://cairn.test"));

describe("routeOf", () => {
    test.each([
        ["/", { page: "home" }],
        ["/new", { page: "new", two: false }],
        ["/new?two", { page: "new", two: true }],
        ["/games/", { page: "games", search: "", state: "", variant: "" }],
        ["/games?search=Anna&variant=expert&state=x", { page: "games", search: "Anna", state: "", variant: "expert" }],
        ["/game/abc", { page: "game", id: "abc", step: null, replay: false }],
        ["/game/abc?step=12", { page: "game", id: "abc", step: 12, replay: false }],
        ["/game/abc?step=-1", { page: "game", id: "abc", step: null, replay: false }],
        ["/game/%zz", { page: "game", id: "%zz", step: null, replay: false }],
        ["/game/a/b", { page: "not-found" }],
        ["/setup", { page: "setup", position: null, shared: false }],
        ["/setup?position=x+y", { page: "setup", position: "x y", shared: false }],
        ["/position?p=x%20y", { page: "setup", position: "x y", shared: true }],
        ["/learn", { page: "learn" }],
        ["/learn/megaliths", { page: "megaliths" }],
        ["/tutorial", { page: "tutorial", lesson: null }],
        ["/puzzles", { page: "puzzles" }],
        ["/puzzles/daily", { page: "puzzle", id: "daily", theme: null }],
        ["/puzzles/next?theme=chain", { page: "puzzle", id: "next", theme: "chain" }],
        ["/tutorial?lesson=jump", { page: "tutorial", lesson: "jump" }],
        ["/settings", { page: "settings" }],
        ["/game/abc?replay", { page: "game", id: "abc", step: null, replay: true }],
        ["/replay?step=2#abc", { page: "game", id: "device-link.abc", step: 2, replay: true }],
        ["/nothing", { page: "not-found" }],
    ])("parses %s", (path, route) => expect(at(path)).toEqual(route));
});

test("a position round-trips through a URL", () => {
    const position = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F";
    const address = new URL(positionAddress("/position", "p", position), "http://cairn.test");
    expect(address.searchParams.get("p")).toBe(position);
    expect(address.search).toBe("?p=S1S1S/5/5/5/F1F1F+b3CG,d3CD+DRMD+(ADCSPSSA)+wofm+0-0+F");
    const odd = new URL(positionAddress("/position", "p", "a&b=%2F+c d"), "http://cairn.test");
    expect(odd.searchParams.get("p")).toBe("a&b=%2F+c d");
});

describe("the router", () => {
    let stop: () => void;

    beforeEach(() => {
        navigate("/");
        stop = startRouter();
    });
    afterEach(() => {
        stop();
        document.body.replaceChildren();
    });

    function click(attributes: Record<string, string>, event: MouseEventInit = {}): MouseEvent {
        const link = document.body.appendChild(document.createElement("a"));
        for (const [name, value] of Object.entries(attributes)) link.setAttribute(name, value);
        const pressed = new MouseEvent("click", { bubbles: true, cancelable: true, ...event });
        // Keep jsdom from following the link.
        window.addEventListener("click", (late) => late.preventDefault(), { once: true });
        link.dispatchEvent(pressed);
        return pressed;
    }

    test("follows a link inside the site without reloading the document", () => {
        click({ href: "/games" });
        expect(router.route).toMatchObject({ page: "games" });
        expect(window.location.pathname).toBe("/games");
    });

    test.each([
        [{ href: "https://example.org/games" }, {}],
        [{ href: "/games", target: "_blank" }, {}],
        [{ href: "/games", download: "" }, {}],
        [{ href: "/api/games/x/record" }, {}],
        [{ href: "/games" }, { ctrlKey: true }],
        [{ href: "/games" }, { button: 1 }],
    ])("leaves %o %o to the browser", (attributes, event) => {
        click(attributes, event);
        expect(router.route).toEqual({ page: "home" });
    });

    test("writes many query changes to the URL in few calls, as Safari requires", () => {
        vi.useFakeTimers();
        navigate("/game/abc");
        const replace = vi.spyOn(window.history, "replaceState");
        for (let step = 0; step < 200; step += 1) {
            setQuery({ step });
            vi.advanceTimersByTime(20);
        }
        expect(router.route).toMatchObject({ step: 199 });
        expect(replace.mock.calls.length).toBeLessThan(20);
        vi.advanceTimersByTime(400);
        expect(window.location.search).toBe("?step=199");
        setQuery({ step: 7 });
        setQuery({ step: 8 });
        navigate("/settings");
        expect(replace.mock.lastCall?.[2]).toMatchObject({ search: "?step=8" });
        vi.useRealTimers();
        vi.restoreAllMocks();
    });

    test("restores the scroll position when the visitor returns to a page", async () => {
        const scrolledTo = (top: number) => {
            vi.stubGlobal("scrollY", top);
            window.dispatchEvent(new Event("scroll"));
        };
        navigate("/learn");
        expect(router.scrollTop).toBeNull();
        scrolledTo(1200);
        navigate("/settings");
        expect(router.scrollTop).toBeNull();
        scrolledTo(40);
        window.history.back();
        await vi.waitFor(() => expect(router.route).toEqual({ page: "learn" }));
        expect(router.scrollTop).toBe(1200);
        window.history.forward();
        await vi.waitFor(() => expect(router.route).toEqual({ page: "settings" }));
        expect(router.scrollTop).toBe(40);
        vi.unstubAllGlobals();
    });

    test("sorts the query parameters", () => {
        navigate("/games");
        setQuery({ state: "finished" });
        setQuery({ search: "Anna" });
        expect(router.url.search).toBe("?search=Anna&state=finished");
    });

    test("changes the query of the current page without a new history entry", () => {
        navigate("/game/abc");
        const entries = window.history.length;
        const { visits } = router;
        setQuery({ step: 3 });
        expect(router.route).toEqual({ page: "game", id: "abc", step: 3, replay: false });
        setQuery({ step: null });
        expect(router.url.search).toBe("");
        expect([window.history.length, router.visits]).toEqual([entries, visits]);
    });
});
