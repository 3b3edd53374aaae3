import { beforeEach, expect, test, vi } from "vitest";

import { ApiProblem } from "./client";
import { deleteStudy, restoreStudy, savedStudies, savedStudy, saveStudy } from "./studies";

beforeEach(() => localStorage.clear());

test("studies are kept, replaced, deleted and restored", () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 10, 18) });
    const first = saveStudy("Openings", "1 F a1-a2");
    vi.advanceTimersByTime(1_000);
    const second = saveStudy("Endings", "1 F c1-c2");
    expect(savedStudies().map(({ name }) => name)).toEqual(["Endings", "Openings"]);
    vi.advanceTimersByTime(1_000);
    saveStudy("Openings", "1 F a1-b1", first.id);
    expect(savedStudies().map(({ record }) => record)).toEqual(["1 F a1-b1", "1 F c1-c2"]);
    deleteStudy(second.id);
    expect(savedStudy(second.id)).toBeNull();
    restoreStudy(second);
    expect(savedStudy(second.id)).toEqual(second);
    vi.useRealTimers();
});

test("damaged entries are left out", () => {
    localStorage.setItem("cairn.study.x", "{");
    localStorage.setItem("cairn.study.y", '{"name":1}');
    expect(savedStudies()).toEqual([]);
});

test("a study that the browser does not store is an error", () => {
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
        throw new DOMException("full", "QuotaExceededError");
    });
    expect(() => saveStudy("Openings", "1 F a1-a2")).toThrow(ApiProblem);
    vi.restoreAllMocks();
});
