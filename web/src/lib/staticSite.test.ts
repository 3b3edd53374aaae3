import { afterEach, beforeEach, expect, test, vi } from "vitest";

/** The router on a static site in the folder /games/cairn/. */
let site: typeof import("./router.svelte");
let stop = (): void => undefined;

beforeEach(async () => {
    vi.resetModules();
    document.head.insertAdjacentHTML("beforeend", '<meta name="cairn-host" content="static" />');
    window.history.replaceState(null, "", "/games/cairn/#/learn/megaliths?x=1#DR");
    site = await import("./router.svelte");
    stop = site.startRouter();
});
afterEach(() => {
    stop();
    document.body.replaceChildren();
    document.querySelector('meta[name="cairn-host"]')?.remove();
    window.history.replaceState(null, "", "/");
});

const shown = () => `${window.location.pathname}${window.location.hash}`;

test("the path of the page is in the fragment, with its own query and fragment", () => {
    const { href } = site.router.url;
    expect(href).toBe(`${window.location.origin}/learn/megaliths?x=1#DR`);
    expect(site.router.route).toEqual({ page: "megaliths" });
});

test("navigating to another page stays in the folder", () => {
    site.navigate("/settings");
    expect(shown()).toBe("/games/cairn/#/settings");
    site.navigate("#look", { replace: true });
    expect(shown()).toBe("/games/cairn/#/settings#look");
    expect(site.router.route).toEqual({ page: "settings" });
});

test("links and shared URLs lead to the folder", () => {
    expect(site.href("/learn#end")).toBe("#/learn#end");
    expect(site.shareAddress("/position?p=x")).toBe(`${window.location.origin}/games/cairn/#/position?p=x`);
});

function click(address: string): boolean {
    const link = document.body.appendChild(document.createElement("a"));
    link.setAttribute("href", address);
    const event = new MouseEvent("click", { bubbles: true, cancelable: true });
    let handled = false;
    window.addEventListener(
        "click",
        (late) => {
            handled = late.defaultPrevented;
            late.preventDefault();
        },
        { once: true },
    );
    link.dispatchEvent(event);
    return handled;
}

test("a link to a page is followed without reloading the document", () => {
    expect(click("#/learn")).toBe(true);
    expect(shown()).toBe("/games/cairn/#/learn");
});

test("a link to a place on the page scrolls to the place and focuses it", async () => {
    document.body.innerHTML = '<main id="main" tabindex="-1"></main>';
    const main = document.getElementById("main") as HTMLElement;
    main.scrollIntoView = vi.fn();
    expect(click("#main")).toBe(true);
    await vi.waitFor(() => expect(main).toHaveFocus());
    expect(shown()).toBe("/games/cairn/#/learn/megaliths?x=1#main");
});

test("the browser handles a link to another file on the same host", () => {
    expect(click("/games/other.html")).toBe(false);
});
