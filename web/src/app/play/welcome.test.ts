import { afterEach, expect, test, vi } from "vitest";

import { notices } from "../../lib/notices.svelte";
import { tellGoalOnce } from "./welcome";

afterEach(() => vi.restoreAllMocks());

test("the goal is told in the first game only, also when site data is blocked", () => {
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
