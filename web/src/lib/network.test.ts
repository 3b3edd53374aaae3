import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { loadNetwork as load } from "../../core/network";

let loadNetwork: typeof load;
/** Delivers the file. */
let deliver: (response: Response) => void;
let requests = 0;

beforeEach(async () => {
    vi.useFakeTimers();
    vi.resetModules();
    vi.spyOn(console, "info").mockReturnValue();
    requests = 0;
    vi.stubGlobal("fetch", (_: URL, options?: RequestInit) => {
        requests += 1;
        return new Promise<Response>((resolve, reject) => {
            deliver = resolve;
            options?.signal?.addEventListener("abort", () => reject(new DOMException("timeout", "TimeoutError")));
        });
    });
    // jsdom's own timeouts are not fake.
    vi.spyOn(AbortSignal, "timeout").mockImplementation((delay) => {
        const controller = new AbortController();
        setTimeout(() => controller.abort(), delay);
        return controller.signal;
    });
    ({ loadNetwork } = await import("../../core/network"));
});

afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
});

test("a search does not wait longer than ten seconds, and later searches do not wait again", async () => {
    const first = loadNetwork();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await first).toBeNull();
    expect(await loadNetwork()).toBeNull();
    expect(requests).toBe(1);
});

test("weights that arrive late are used by later searches", async () => {
    void loadNetwork();
    await vi.advanceTimersByTimeAsync(15_000);
    deliver(new Response(new Uint8Array([1, 2])));
    await vi.advanceTimersByTimeAsync(100);
    expect(await loadNetwork()).toEqual(new Uint8Array([1, 2]));
    expect(requests).toBe(1);
});

test("a download that does not end is given up and tried again", async () => {
    void loadNetwork();
    await vi.advanceTimersByTimeAsync(60_000);
    void loadNetwork();
    expect(requests).toBe(2);
});
