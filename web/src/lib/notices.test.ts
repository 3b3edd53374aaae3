import { afterEach, expect, test } from "vitest";

import { dismiss, leavePage, notices, notify } from "./notices.svelte";

afterEach(() => {
    for (const { id } of notices.list) dismiss(id);
});

const texts = () => notices.list.map(({ text }) => text);
const action = { label: "Restore", run: () => undefined };

test("a notice replaces an earlier one with the same text, and the oldest notices are removed", () => {
    for (const text of ["a", "b", "a", "c", "d"]) notify({ kind: "error", text });
    expect(texts()).toEqual(["a", "c", "d"]);
});

test("a notice with an action is not removed by later notices", () => {
    const offers = [1, 2, 3, 4].map(() => notify({ kind: "info", text: "deleted", action }, 15));
    for (const text of ["deleted", "a", "b"]) notify({ kind: "error", text });
    expect(notices.list.filter((notice) => notice.action).map(({ id }) => id)).toEqual(offers);
    expect(texts().at(-1)).toBe("b");
});

test("leaving a page removes its notices, except those marked to stay", () => {
    notify({ kind: "info", text: "deleted", action }, 15);
    notify({ kind: "info", text: "a game has begun", action, stays: true }, 60);
    leavePage();
    expect(texts()).toEqual(["a game has begun"]);
});
