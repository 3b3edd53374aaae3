import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { Throttle } from "./throttle";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("the first action runs immediately, the last action always runs, and most actions in between are skipped", () => {
    const throttle = new Throttle(400);
    const ran: number[] = [];
    for (let number = 0; number < 600; number++) {
        throttle.run(() => ran.push(number));
        vi.advanceTimersByTime(50); // 30 seconds in total
    }
    vi.advanceTimersByTime(1_000);
    expect(ran[0]).toBe(0);
    expect(ran.at(-1)).toBe(599);
    expect(ran.length).toBeLessThan(100);
});

test("a waiting action can be run immediately", () => {
    const throttle = new Throttle(400);
    const late = vi.fn();
    throttle.run(() => undefined);
    throttle.run(late);
    throttle.flush();
    expect(late).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(1_000);
    expect(late).toHaveBeenCalledOnce();
});

test("a waiting action can be dropped", () => {
    const throttle = new Throttle(400);
    const late = vi.fn();
    throttle.run(() => undefined);
    throttle.run(late);
    throttle.cancel();
    vi.advanceTimersByTime(1_000);
    expect(late).not.toHaveBeenCalled();
});
