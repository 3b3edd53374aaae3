import { afterEach, beforeEach, expect, test, vi } from "vitest";

/** The build in the server's version.json. */
let current: string;

beforeEach(() => {
    current = "old";
    vi.resetModules();
    document.head.insertAdjacentHTML("beforeend", '<meta name="cairn-build" content="old" />');
    vi.stubGlobal("fetch", async () => Response.json({ build: current }));
});
afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
    document.querySelector('meta[name="cairn-build"]')?.remove();
});

const named = (build: string) => new Headers({ "X-Cairn-Build": build });

test("a new build in a later response is offered, and the offer can be dismissed", async () => {
    const { noticeBuild, updates } = await import("./updates.svelte");
    noticeBuild(named("old"));
    current = "new";
    noticeBuild(named("new"));
    await vi.waitFor(() => expect(updates.offered).toBe(true));
    updates.dismiss();
    expect(updates.offered).toBe(false);
});

test("no update is offered to an up-to-date page, even if one server process is older", async () => {
    const { checkForUpdate, noticeBuild, updates } = await import("./updates.svelte");
    noticeBuild(named("old"));
    noticeBuild(named("older"));
    await checkForUpdate();
    expect(updates.offered).toBe(false);
});

test("responses without a build id are ignored", async () => {
    const { noticeBuild, updates } = await import("./updates.svelte");
    const asked = vi.fn();
    vi.stubGlobal("fetch", asked);
    noticeBuild(new Headers());
    noticeBuild(new Headers());
    expect(asked).not.toHaveBeenCalled();
    expect(updates.offered).toBe(false);
});

test("a page checks for a new build when it becomes visible, at most once an hour", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { startUpdates, updates } = await import("./updates.svelte");
    startUpdates();
    current = "new";
    document.dispatchEvent(new Event("visibilitychange"));
    await Promise.resolve();
    expect(updates.offered).toBe(false);
    vi.setSystemTime(Date.now() + 3_601_000);
    document.dispatchEvent(new Event("visibilitychange"));
    await vi.waitFor(() => expect(updates.offered).toBe(true));
});
