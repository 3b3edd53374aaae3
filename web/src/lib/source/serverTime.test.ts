import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { ServerTime } from "./serverTime";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("the server's clock is estimated from the fastest round trip", () => {
    const time = new ServerTime();
    const nowAt = (ours: number): number => {
        vi.setSystemTime(ours);
        return time.now();
    };
    time.learn(1_000, 1_400, 61_200); // a round trip of 400 ms: the server is 60 s ahead
    expect([nowAt(2_000), time.lag]).toEqual([62_000, 400]);
    time.learn(2_000, 4_000, 63_900); // slow, so less accurate
    expect(nowAt(5_000)).toBe(65_000);
    time.learn(5_000, 5_020, 65_030);
    expect(nowAt(6_000)).toBe(66_020);
    expect(time.lag).toBeLessThan(700);
});
