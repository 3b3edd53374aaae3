import { fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";

import type { GameSummary } from "../../lib/client";
import { dismiss, notices } from "../../lib/notices.svelte";
import { navigate, router } from "../../lib/router.svelte";
import { serve, Status } from "../../test/server";
import GamesPage from "./GamesPage.svelte";

const POSITION = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F";

function game(id: string, change: Partial<GameSummary> = {}): GameSummary {
    return {
        id,
        kind: "local",
        rated: false,
        you: [],
        created: "2026-11-15T05:00:00Z",
        changed: "2026-11-15T05:00:00Z",
        variant: "beginner",
        seats: {
            forest: { kind: "person", level: null, name: null },
            sea: { kind: "computer", level: 4, name: null },
        },
        turns: 3,
        position: POSITION,
        decider: "forest",
        outcome: null,
        ...change,
    };
}

const finished = game("over", { decider: null, outcome: { winner: "sea", reason: "score", rule: "G1" } });

// jsdom has no layout and cannot scroll.
const revealed = vi.fn();
Element.prototype.scrollIntoView = revealed;

afterEach(() => {
    revealed.mockClear();
    for (const notice of notices.list) dismiss(notice.id);
    vi.unstubAllGlobals();
});

test("offers to continue a running game, and to review or save a finished game", async () => {
    serve({ "GET /api/games": () => ({ games: [game("a"), finished], total: 2 }) });
    render(GamesPage);
    const [running, over] = await screen.findAllByRole("article");
    if (!running || !over) throw new Error("expected two games");
    expect(screen.getByText("2 games")).toBeInTheDocument();
    expect(within(running).getByRole("link", { name: "Continue" })).toHaveAttribute("href", "/game/a");
    expect(within(running).getByText("Waiting for you")).toBeInTheDocument();
    expect(within(over).getByRole("link", { name: "Replay" })).toHaveAttribute("href", "/game/over?step=0");
    expect(within(over).getByRole("link", { name: "Review" })).toHaveAttribute("href", "/review/over");
    expect(within(over).getByRole("link", { name: "Save as a file" })).toHaveAttribute(
        "href",
        "/api/games/over/record",
    );
});

test("a finished game can be shared with a link that replays it", async () => {
    const writeText = vi.fn();
    vi.stubGlobal("navigator", { ...navigator, clipboard: { writeText } });
    serve({ "GET /api/games": () => ({ games: [game("a"), finished], total: 2 }) });
    render(GamesPage);
    const [running, over] = await screen.findAllByRole("article");
    if (!running || !over) throw new Error("expected two games");
    expect(within(running).queryByRole("button", { name: "Copy replay link" })).not.toBeInTheDocument();
    await fireEvent.click(within(over).getByRole("button", { name: "Copy replay link" }));
    await waitFor(() => expect(writeText).toHaveBeenCalledWith("http://localhost:3000/game/over?replay"));
    expect(notices.list.map(({ text }) => text)).toEqual(["Link copied. It replays the game from the start."]);
});

test("offers to continue a game before it offers a new one, and shows the score and the ladder", async () => {
    const won = game("won", { decider: null, outcome: { winner: "forest", reason: "score", rule: "G1" } });
    serve({
        "GET /api/games": ({ query }) => {
            const state = query.get("state");
            const games = [game("a", { position: POSITION.replace("0-0", "2-1") }), won];
            return { games: games.filter(({ outcome }) => !state || (state === "finished") === !!outcome), total: 1 };
        },
    });
    render(GamesPage);
    const [first] = await screen.findAllByRole("link", { name: "Continue" });
    expect(first).toHaveAttribute("href", "/game/a");
    const button = screen.getByRole("link", { name: "New game" });
    expect(first?.compareDocumentPosition(button)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect((await screen.findAllByRole("article"))[0]).toHaveTextContent(/You\s*, 2 points/);
    expect(await screen.findByText("1 of 10 beaten")).toBeInTheDocument();
    expect(screen.getByText(/Next: Dolmen/)).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Statistics" })).toHaveAttribute("href", "/games/statistics");
});

test("sends the search and the filters to the server", async () => {
    const asked = serve({ "GET /api/games": () => ({ games: [], total: 0 }) });
    render(GamesPage);
    await screen.findByText(/No games yet/);
    await userEvent.type(screen.getByLabelText("Search"), "Monolith");
    await userEvent.selectOptions(screen.getByLabelText("Status"), "Finished");
    await userEvent.selectOptions(screen.getByLabelText("Megaliths"), "Expert");
    await screen.findByText("No games found.");
    await waitFor(() =>
        expect(Object.fromEntries(asked.at(-1)?.query ?? [])).toMatchObject({
            search: "monolith|level:4",
            state: "finished",
            variant: "expert",
        }),
    );
});

test("writes the search and filters to the URL, and reads them from it", async () => {
    navigate("/games");
    const asked = serve({ "GET /api/games": () => ({ games: [], total: 0 }) });
    const { rerender } = render(GamesPage, { search: "Anna", state: "running", variant: "" });
    expect(screen.getByLabelText("Search")).toHaveValue("Anna");
    expect(screen.getByLabelText("Status")).toHaveValue("running");
    const listed = (): URLSearchParams | undefined => asked.findLast(({ query }) => query.has("begun"))?.query;
    await waitFor(() => expect(listed()?.get("state")).toBe("running"));
    expect(router.url.search).toBe("?search=Anna&state=running");
    await userEvent.selectOptions(screen.getByLabelText("Status"), "All");
    await userEvent.selectOptions(screen.getByLabelText("Megaliths"), "Expert");
    await waitFor(() => expect(router.url.search).toBe("?search=Anna&variant=expert"));
    await rerender({ search: "", state: "", variant: "" });
    expect(screen.getByLabelText("Search")).toHaveValue("");
});

test("fetches more games on request", async () => {
    const all = Array.from({ length: 25 }, (_, index) => game(`g${index}`));
    serve({
        "GET /api/games": ({ query }) => {
            const offset = Number(query.get("offset"));
            return { games: all.slice(offset, offset + Number(query.get("limit"))), total: 25 };
        },
    });
    render(GamesPage);
    await userEvent.click(await screen.findByRole("button", { name: "Show more" }));
    await waitFor(() => expect(screen.getAllByRole("article")).toHaveLength(25));
    expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
});

test("shows a game only once if it moved to the next page of results", async () => {
    const pages = [
        [game("a"), game("b")],
        [game("b"), game("c")], // a game was started elsewhere in the meantime
    ];
    const asked = serve({
        "GET /api/games": ({ query }) => ({ games: pages[query.get("offset") === "2" ? 1 : 0], total: 4 }),
    });
    render(GamesPage);
    await userEvent.click(await screen.findByRole("button", { name: "Show more" }));
    await waitFor(() => expect(screen.getAllByRole("article")).toHaveLength(3));
    expect(asked.filter(({ query }) => query.has("begun"))).toHaveLength(2);
});

test("either of two deleted games can be restored", async () => {
    let games = [game("a"), game("b")];
    const remove = (id: string) => () => void (games = games.filter((one) => one.id !== id));
    const asked = serve({
        "GET /api/games": () => ({ games, total: games.length }),
        "DELETE /api/games/a": remove("a"),
        "DELETE /api/games/b": remove("b"),
        "POST /api/games/a/restore": () => undefined,
    });
    render(GamesPage);
    for (const left of [1, 0]) {
        const [button] = await screen.findAllByRole("button", { name: "Delete" });
        if (button) await userEvent.click(button);
        await waitFor(() => expect(screen.queryAllByRole("article")).toHaveLength(left));
    }
    expect(notices.list).toHaveLength(2);
    notices.list[0]?.action?.run();
    await waitFor(() => expect(asked.map(({ path }) => path)).toContain("/api/games/a/restore"));
});

test("reports an unreadable file", async () => {
    serve({ "GET /api/games": () => ({ games: [], total: 0 }) });
    render(GamesPage);
    const drop = new Event("drop", { bubbles: true, cancelable: true });
    const folder = { name: "games", size: 0, text: () => Promise.reject(new DOMException("", "NotReadableError")) };
    Object.assign(drop, { dataTransfer: { files: [folder] } });
    document.dispatchEvent(drop);
    expect(await screen.findByText("This cannot be read.")).toBeInTheDocument();
});

test("restores a deleted game", async () => {
    let games = [game("a")];
    const asked = serve({
        "GET /api/games": () => ({ games, total: games.length }),
        "DELETE /api/games/a": () => void (games = []),
        "POST /api/games/a/restore": () => void (games = [game("a")]),
    });
    render(GamesPage);
    await userEvent.click(await screen.findByRole("button", { name: "Delete" }));
    await waitFor(() => expect(screen.queryByRole("article")).toBeNull());
    const notice = notices.list.find(({ text }) => text === "The game is deleted.");
    expect(notice?.action?.label).toBe("Restore");
    notice?.action?.run();
    await screen.findByRole("article");
    expect(asked.map(({ method }) => method)).toContain("DELETE");
});

test("imports a pasted record as a game", async () => {
    const asked = serve({
        "GET /api/games": () => ({ games: [], total: 0 }),
        "POST /api/records": () => ({ id: "imported" }),
    });
    render(GamesPage);
    const text = `[Position "${POSITION}"]\n\n*\n`;
    await fireEvent.input(screen.getByLabelText("Text of a game or position"), { target: { value: text } });
    await userEvent.click(screen.getByRole("button", { name: "Open the text" }));
    await waitFor(() => expect(router.url.pathname).toBe("/game/imported"));
    expect(asked.at(-1)?.body).toEqual({ text });
});

test("reports every fault in a record", async () => {
    const faults = [
        { kind: "no-result", field: "result", sentence: "the last turn is followed by the result", details: {} },
        {
            kind: "illegal-token",
            field: "turn 2, token 1 'a1-a2'",
            sentence: "not legal",
            details: { turn: "2", token: "1", text: "a1-a2" },
        },
    ];
    serve({
        "GET /api/games": () => ({ games: [], total: 0 }),
        "POST /api/records": () => new Status(422, { kind: "malformed", sentence: "", faults }),
    });
    render(GamesPage);
    const file = new File(["nonsense"], "a.cairn");
    await userEvent.upload(screen.getByLabelText("Choose a file"), file, { applyAccept: false });
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("This cannot be read.");
    expect(alert).toHaveTextContent("Turn 2, token 1 (a1-a2): The rules do not allow this here.");
    // The alert is next to the file picker, above the text field.
    const field = screen.getByLabelText("Text of a game or position");
    expect(alert.compareDocumentPosition(field)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(revealed.mock.contexts).toEqual([alert]);
});

test("opens a dropped position in the editor", async () => {
    serve({ "GET /api/games": () => ({ games: [], total: 0 }) });
    render(GamesPage);
    const drop = new Event("drop", { bubbles: true, cancelable: true });
    Object.assign(drop, { dataTransfer: { files: [], getData: () => POSITION } });
    document.dispatchEvent(drop);
    await waitFor(() => expect(router.route).toEqual({ page: "setup", position: POSITION, shared: false }));
});
