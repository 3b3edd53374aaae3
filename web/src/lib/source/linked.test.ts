import { beforeEach, expect, test, vi } from "vitest";

import { ApiProblem } from "../client";
import { LinkedGameSource } from "./linked";
import type { GameFollower } from "./source";

const device = vi.hoisted(() => ({ viewRecord: vi.fn<(text: string) => Promise<unknown>>() }));
vi.mock("../device", () => device);
vi.mock("./packedRecord", () => ({
    unpack: async (packed: string) => {
        if (packed === "cut off") throw new ApiProblem("broken-link", "", 404);
        return packed;
    },
}));

beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => undefined));

/** Open a link. Returns what its follower receives first. */
async function opened(packed: string): Promise<unknown> {
    return new Promise((resolve) => {
        const follower = { connection: vi.fn(), failed: vi.fn(), game: resolve, problem: resolve };
        new LinkedGameSource("link-x", packed).follow(follower as GameFollower);
    });
}

test("a link shows the game in its record", async () => {
    device.viewRecord.mockImplementation((text) => Promise.resolve({ text }));
    expect(await opened("a record")).toEqual({ text: "a record" });
});

test("a record that the core refuses, or that is cut off, means that the link is broken", async () => {
    device.viewRecord.mockRejectedValue(new ApiProblem("malformed", "", 409));
    expect(await opened("a record")).toMatchObject({ kind: "broken-link" });
    expect(await opened("cut off")).toMatchObject({ kind: "broken-link" });
});

test.each([
    [new ApiProblem("core-missing", ""), "core-missing"],
    [new Error("unreachable"), "unexpected"],
])("a link is not called broken if the device fails (%s)", async (problem, kind) => {
    device.viewRecord.mockRejectedValue(problem);
    expect(await opened("a record")).toMatchObject({ kind });
});
