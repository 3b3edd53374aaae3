import { beforeEach, expect, test, vi } from "vitest";

import type { progress as Progress } from "./progress.svelte";

/** The progress as a page reads it when it is loaded. */
async function load(): Promise<typeof Progress> {
    vi.resetModules();
    return (await import("./progress.svelte")).progress;
}

beforeEach(() => localStorage.clear());

test("completed lessons are remembered across visits, in any order", async () => {
    const progress = await load();
    expect(progress.next?.id).toBe("move");
    progress.complete("move");
    progress.complete("jump");
    progress.complete("jump");
    const later = await load();
    expect(later.completed).toEqual(["move", "jump"]);
    expect(later.next?.id).toBe("add");
});

test("a lesson completed in another tab is not lost", async () => {
    const here = await load();
    const there = await load();
    here.complete("move");
    there.complete("add");
    expect((await load()).completed).toEqual(["move", "add"]);
});

test("anything else in the storage is ignored", async () => {
    for (const text of ["", "{", '{"move":true}', "null", '["nothing", 1, "move"]']) {
        localStorage.setItem("cairn.tutorial", text);
        const { completed } = await load();
        expect(completed, text).toEqual(text.includes('"move"]') ? ["move"] : []);
    }
});

test("without storage, the lessons are remembered until the page is closed", async () => {
    const blocked = vi.spyOn(window, "localStorage", "get").mockImplementation(() => {
        throw new DOMException("blocked", "SecurityError");
    });
    const progress = await load();
    progress.complete("move");
    expect(progress.completed).toEqual(["move"]);
    blocked.mockRestore();
});
