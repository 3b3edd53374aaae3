import { afterEach, expect, test, vi } from "vitest";

vi.mock("./lib/i18n", async (original) => ({
    ...(await original<typeof import("./lib/i18n")>()),
    startLanguage: () => Promise.reject(new Error("the connection is lost")),
}));

afterEach(() => vi.restoreAllMocks());

test("shows an error message if no language can be loaded", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    document.body.innerHTML = '<div id="app"></div>';
    await import("./main");
    await vi.waitFor(() =>
        expect(document.body).toHaveTextContent("Cairn could not be loaded. Please reload the page."),
    );
});
