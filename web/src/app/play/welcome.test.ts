import { afterEach, expect, test, vi } from "vitest";

import { notices } from "../../lib/notices.svelte";
import { tellGoalOnce } from "./welcome";

afterEach(() => vi.restoreAllMocks());

test("explains the goal only in the first game, even when site data is blocked", () => {
    vi.spyOn(window, "localStorage", "get").mockImplementation(() => {
        throw new DOMException("Access is denied for this document.", "SecurityError");
    });
    tellGoalOnce();
    expect(notices.list).toHaveLength(1);
    window.dispatchEvent(new MouseEvent("click"));
    expect(notices.list).toHaveLength(0);
    tellGoalOnce();
    expect(notices.list).toHaveLength(0);
});
