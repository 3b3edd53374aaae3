import { render } from "@testing-library/svelte";
import { tick } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { settings } from "../../lib/settings.svelte";
import { scrollAway, scrollBack } from "../../test/screen";
import LivingBoard from "./LivingBoard.svelte";

beforeEach(() => {
    vi.useFakeTimers();
    settings.speed = "normal";
});
afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
});

/** Everything drawn on the board, for comparison. */
const drawn = (container: HTMLElement) => container.querySelector("svg")?.innerHTML;

/** Whether anything on the board changes within ten seconds. */
async function moves(container: HTMLElement): Promise<boolean> {
    const before = drawn(container);
    for (let second = 0; second < 10; second++) {
        await vi.advanceTimersByTimeAsync(1000);
        if (drawn(container) !== before) return true;
    }
    return false;
}

test("plays while it is visible", async () => {
    const { container } = render(LivingBoard);
    expect(await moves(container)).toBe(true);
});

test("pauses off screen and resumes when scrolled back into view", async () => {
    const { container } = render(LivingBoard);
    expect(await moves(container)).toBe(true);
    scrollAway();
    await vi.advanceTimersByTimeAsync(0);
    await tick();
    expect(await moves(container)).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
    scrollBack();
    expect(await moves(container)).toBe(true);
});

test("pauses in a hidden tab", async () => {
    const { container } = render(LivingBoard);
    expect(await moves(container)).toBe(true);
    const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
    document.dispatchEvent(new Event("visibilitychange"));
    await vi.advanceTimersByTimeAsync(0);
    await tick();
    expect(await moves(container)).toBe(false);
    hidden.mockReturnValue(false);
    document.dispatchEvent(new Event("visibilitychange"));
    expect(await moves(container)).toBe(true);
});
