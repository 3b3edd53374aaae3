import { render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, expect, test, vi } from "vitest";

import { navigate, startRouter } from "../lib/router.svelte";
import { serve, Status } from "../test/server";
import App from "./App.svelte";
import { loaders } from "./pages";

afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
});

test("going back from a page that failed to load shows the previous page", async () => {
    const refuse = () => new Status(404, { kind: "not-found", sentence: "", faults: [] });
    serve({ "GET /api/me": refuse });
    vi.spyOn(window, "scrollTo").mockImplementation(() => undefined);
    vi.stubGlobal("ResizeObserver", function () {
        return { observe: vi.fn(), disconnect: vi.fn() };
    });
    const stop = startRouter();
    navigate("/settings");
    render(App);
    await screen.findByRole("heading", { name: "Settings", level: 1 });
    vi.spyOn(loaders, "megaliths").mockRejectedValue(new TypeError("no such chunk"));
    navigate("/learn/megaliths");
    await screen.findByRole("heading", { name: "This page couldn’t be loaded", level: 1 });
    window.history.back();
    await waitFor(() => expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Settings"));
    stop();
});
