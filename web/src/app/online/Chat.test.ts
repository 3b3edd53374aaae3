import { render, screen } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";

import { ApiProblem, type GameView } from "../../lib/client";
import type { TableChannel } from "../../lib/source";
import Chat from "./Chat.svelte";
import { OnlineTable } from "./table.svelte";

const game = { id: "g", now: { outcome: null }, players: null, rated: false } as unknown as GameView;

function chat(say: TableChannel["say"]) {
    const table = new OnlineTable("g", { say } as unknown as TableChannel);
    return { table, ...render(Chat, { game, table, mine: ["forest"] }) };
}

const field = () => screen.getByRole("textbox");
const send = () => userEvent.click(screen.getByRole("button", { name: "Send" }));

test("keeps the text until it has been sent, even after a refusal", async () => {
    let settle: { done: () => void; refuse: (problem: unknown) => void } | undefined;
    const say = vi.fn(() => new Promise<void>((done, refuse) => (settle = { done, refuse })));
    chat(say);
    await userEvent.type(field(), "Good evening");
    await send();
    expect(say).toHaveBeenCalledWith({ text: "Good evening" });
    expect(field()).toHaveValue("Good evening");
    settle?.refuse(new ApiProblem("muted", "", 403));
    await vi.waitFor(() => expect(screen.getByRole("button", { name: "Send" })).toBeEnabled());
    expect(field()).toHaveValue("Good evening");
    await send();
    settle?.done();
    await vi.waitFor(() => expect(field()).toHaveValue(""));
});

test("keeps the text when the panel is closed and reopened", async () => {
    const { table, unmount } = chat(vi.fn());
    await userEvent.type(field(), "Half a sentence");
    unmount();
    render(Chat, { game, table, mine: ["forest"] });
    expect(field()).toHaveValue("Half a sentence");
});
