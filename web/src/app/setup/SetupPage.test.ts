import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { navigate, router } from "../../lib/router.svelte";
import { serve, Status, type Asked } from "../../test/server";
import { EMPTY, START } from "./editor";
import SetupPage from "./SetupPage.svelte";

const WRONG = START.replace("DRMD", "DR--");

/** The fake server's response to a position. It reports only one kind of fault. */
function line({ body }: Asked): unknown {
    const { position } = body as { position: string };
    const fault = {
        kind: "empty-slot",
        field: "upcoming",
        sentence: "a slot can be empty only when the deck is",
        details: {},
    };
    if (position.includes("-- (")) return new Status(422, { kind: "malformed", sentence: "", faults: [fault] });
    return { start: position, steps: [], now: { active: "forest", choices: [1, 2, 3], outcome: null } };
}

// jsdom has no layout and cannot scroll.
const revealed = vi.fn();
Element.prototype.scrollIntoView = revealed;

beforeEach(() => navigate("/setup"));
afterEach(() => vi.unstubAllGlobals());

const text = () => screen.getByLabelText<HTMLTextAreaElement>(/The position as text/);
const space = (name: string) => screen.getByRole("gridcell", { name: new RegExp(`^${name}:`) });

test("placing a piece updates the text and the URL", async () => {
    const asked = serve({ "POST /api/positions/line": line });
    render(SetupPage, { position: null, shared: false });
    expect(text()).toHaveValue(START);
    await userEvent.click(screen.getByRole("button", { name: /^Forest(?!’s)/ }));
    await fireEvent.keyDown(space("c3"), { key: "Enter" });
    const written = START.replace("/5/5/5/", "/5/2F2/5/");
    await waitFor(() => expect(text()).toHaveValue(written));
    await waitFor(() => expect(router.route).toMatchObject({ position: written }));
    expect(asked.at(-1)?.body).toEqual({ position: written, tokens: [] });
    expect(await screen.findByText(/has 3 choices/)).toBeInTheDocument();
});

test("a link with an unknown megalith shows the rest of the position and the fault", async () => {
    const fault = { kind: "unknown-code", field: "megaliths", sentence: "", details: { what: "ZZ" } };
    const refuse = () => new Status(422, { kind: "malformed", sentence: "", faults: [fault] });
    serve({ "POST /api/positions/line": refuse });
    render(SetupPage, { position: "5/5/5/5/5 b3ZZ,c3DR ZZ-- (MDZZ) wofm 0-0 F", shared: true });
    expect(space("b3")).toHaveAccessibleName("b3: no shaman");
    expect(space("c3")).toHaveAccessibleName(/Deer Rock/);
    expect(await screen.findByText(/No megalith has the code “ZZ”/)).toBeInTheDocument();
});

test("a faulty position shows its faults and cannot be played", async () => {
    serve({ "POST /api/positions/line": line });
    render(SetupPage, { position: WRONG, shared: false });
    expect(await screen.findByText(/can be empty only if the deck is empty too/)).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Play against the computer" })).toBeDisabled();
    await fireEvent.input(text(), { target: { value: START } });
    await waitFor(() => expect(screen.getByRole("button", { name: "Play against the computer" })).toBeEnabled());
});

test("editing the text clears the message about the board, and faults are shown next to the text", async () => {
    serve({ "POST /api/positions/line": line });
    render(SetupPage, { position: START, shared: false });
    await fireEvent.keyDown(space("c3"), { key: "Enter" });
    expect(screen.getByText(/Nothing stands there/)).toBeInTheDocument();
    await fireEvent.input(text(), { target: { value: WRONG } });
    expect(screen.queryByText(/Nothing stands there/)).not.toBeInTheDocument();
    await waitFor(() => expect(text()).toHaveAccessibleDescription(/can be empty only if the deck is empty/));
    expect(revealed).toHaveBeenCalledOnce();
    await fireEvent.input(text(), { target: { value: START } });
    await waitFor(() => expect(text()).not.toHaveAccessibleDescription());
});

test("a game can be started from the position", async () => {
    const asked = serve({ "POST /api/positions/line": line, "POST /api/games": () => ({ id: "from-here" }) });
    render(SetupPage, { position: START, shared: true });
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("A position for you");
    const button = screen.getByRole("button", { name: "Two on one screen" });
    await waitFor(() => expect(button).toBeEnabled());
    await userEvent.click(button);
    await waitFor(() => expect(router.url.pathname).toBe("/game/from-here"));
    expect(asked.at(-1)?.body).toMatchObject({ position: START, seats: { forest: { kind: "person" } } });
});

test("a megalith can be moved to an upcoming slot, to the deck, and back into the box", async () => {
    serve({ "POST /api/positions/line": line });
    render(SetupPage, { position: EMPTY, shared: false });
    const deer = () => screen.getAllByRole("button", { name: /^Deer Rock/ })[0] as HTMLElement;
    await userEvent.click(deer());
    await userEvent.click(screen.getByRole("button", { name: /^Upcoming 1/ }));
    expect(text()).toHaveValue(EMPTY.replace("----", "DR--"));
    await userEvent.click(deer());
    await userEvent.click(screen.getByRole("button", { name: "Deck: 0" }));
    expect(text()).toHaveValue(EMPTY.replace("---- -", "---- DR"));
    await userEvent.click(deer());
    await userEvent.click(screen.getByRole("button", { name: "Put it back in the box" }));
    expect(text()).toHaveValue(EMPTY);
});

test("tiles, scores and the active tribe can be changed", async () => {
    serve({ "POST /api/positions/line": line });
    render(SetupPage, { position: START, shared: false });
    await userEvent.click(screen.getByRole("button", { name: /Jump: over a friend/ }));
    await userEvent.click(screen.getAllByRole("radio", { name: "2" })[1] as HTMLElement);
    await userEvent.click(screen.getAllByRole("radio", { name: "Sea" })[0] as HTMLElement);
    expect(text()).toHaveValue(START.replace("wofm 0-0 F", "woem 0-2 S"));
});
