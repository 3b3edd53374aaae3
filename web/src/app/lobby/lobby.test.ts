import { render, screen } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { me } from "../../lib/me.svelte";
import { challenge } from "../../test/challenge";
import { serve, Status } from "../../test/server";
import ChallengeForm from "./ChallengeForm.svelte";
import JoinPage from "./JoinPage.svelte";

const guest = { player: { id: "g", kind: "guest" as const, name: null }, admin: false, muted: false };
const account = { player: { id: "b", kind: "account" as const, name: "Ben" }, admin: false, muted: false };

beforeEach(() => {
    localStorage.clear();
    vi.stubGlobal(
        "WebSocket",
        class {
            close(): void {
                // There is no connection to close.
            }
        },
    );
});
afterEach(() => {
    me.set(null);
    vi.unstubAllGlobals();
});

test.each([
    { who: "a guest", known: guest, rated: false },
    { who: "an account", known: account, rated: true },
])("the form offers $who only options that the server accepts", async ({ known, rated }) => {
    me.set(known);
    const asked = serve({
        "POST /api/challenges": () => ({ challenge: { ...challenge, yours: true }, invite: "i", seat: "s" }),
        "PUT /api/challenges/c/number": () => challenge,
    });
    render(ChallengeForm, { friend: true });
    await userEvent.click(screen.getByRole("radio", { name: "10 min + 10 s" }));
    expect(screen.queryAllByRole("switch", { name: /^Rated/ })).toHaveLength(rated ? 1 : 0);
    await userEvent.click(screen.getByRole("button", { name: "Get a link" }));
    await vi.waitFor(() => expect(asked.length).toBeGreaterThan(0));
    expect(asked[0]).toMatchObject({ body: { rated } });
});

test("a game without a clock cannot be rated, and the form explains why", async () => {
    me.set(account);
    const asked = serve({
        "POST /api/challenges": () => ({ challenge: { ...challenge, yours: true }, invite: "i", seat: "s" }),
        "PUT /api/challenges/c/number": () => challenge,
    });
    render(ChallengeForm, { friend: true });
    await userEvent.click(screen.getByRole("radio", { name: "10 min + 10 s" }));
    expect(screen.queryByText("A rated game needs a clock.")).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole("radio", { name: "No clock" }));
    expect(screen.queryByRole("switch", { name: /^Rated/ })).not.toBeInTheDocument();
    expect(screen.getByText("A rated game needs a clock.")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Get a link" }));
    await vi.waitFor(() => expect(asked.length).toBeGreaterThan(0));
    expect(asked[0]).toMatchObject({ body: { rated: false, clock: null } });
});

test("a friend is invited to a game without a clock, and anybody else to one with a clock", async () => {
    render(ChallengeForm, { friend: true });
    expect(screen.getByRole("radio", { name: "No clock" })).toBeChecked();
    await userEvent.click(screen.getByRole("radio", { name: /^Anyone/ }));
    expect(screen.getByRole("radio", { name: "10 min + 10 s" })).toBeChecked();
    await userEvent.click(screen.getByRole("radio", { name: "3 min + 5 s" }));
    await userEvent.click(screen.getByRole("radio", { name: /^A friend/ }));
    expect(screen.getByRole("radio", { name: "No clock" })).toBeChecked();
});

test("choosing a clock again restores the rated option", async () => {
    me.set(account);
    render(ChallengeForm, { friend: true });
    await userEvent.click(screen.getByRole("radio", { name: "No clock" }));
    await userEvent.click(screen.getByRole("radio", { name: "10 min + 10 s" }));
    expect(screen.getByRole("switch", { name: /^Rated/ })).toBeChecked();
});

test.each([
    { refusal: "account-needed" as const, known: guest, buttons: 0 },
    { refusal: "own-bot" as const, known: account, buttons: 0 },
    { refusal: null, known: account, buttons: 1 },
])("offers to accept only if the server would allow it (refusal: $refusal)", async ({ refusal, known, buttons }) => {
    me.set(known);
    serve({ "GET /api/challenges/i": () => ({ ...challenge, refusal }) });
    render(JoinPage, { invite: "i" });
    await screen.findByText("Ann");
    expect(screen.queryAllByRole("button", { name: "Accept and play" })).toHaveLength(buttons);
    expect(screen.queryAllByRole("button", { name: "Create account" })).toHaveLength(
        refusal === "account-needed" ? 1 : 0,
    );
});

test("loads a challenge on retry after a failure", async () => {
    let answer: unknown = new Status(503, { kind: "storage-failed", sentence: "", faults: [] });
    serve({ "GET /api/challenges/i": () => answer });
    render(JoinPage, { invite: "i" });
    const retry = await screen.findByRole("button", { name: "Try again" });
    answer = challenge;
    await userEvent.click(retry);
    expect(await screen.findByText("Ann")).toBeInTheDocument();
});
