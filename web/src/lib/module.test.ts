import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { loadModule as load } from "../../core/module";
import { EMPTY_MODULE } from "../test/worker";

let loadModule: typeof load;
let response: () => Promise<Response>;

beforeEach(async () => {
    vi.resetModules();
    vi.stubGlobal("fetch", () => response());
    ({ loadModule } = await import("../../core/module"));
});

afterEach(() => void vi.unstubAllGlobals());

/** A response whose content is cut off. jsdom has no streams. */
const cutOff = { ok: true, arrayBuffer: () => Promise.reject(new TypeError("network error")) } as unknown as Response;

test.each<[string, () => Promise<Response>]>([
    ["the server cannot be reached", () => Promise.reject(new TypeError("Failed to fetch"))],
    ["the file does not exist", () => Promise.resolve(new Response("", { status: 404 }))],
    ["the download is cut off", () => Promise.resolve(cutOff)],
    ["the host sends a page instead", () => Promise.resolve(new Response("<!doctype html>"))],
])("the module counts as missing if %s, and can be loaded later", async (_, failure) => {
    const { MissingFile } = await import("../../core/workerError");
    response = failure;
    await expect(loadModule()).rejects.toBeInstanceOf(MissingFile);
    response = () => Promise.resolve(new Response(EMPTY_MODULE));
    expect(await loadModule()).toBeInstanceOf(WebAssembly.Module);
});
