import type { Line } from "../../lib/client";

/** The lines of play for all boards, fetched once. They are part of the build, so the boards work without a server. */
let lines = $state.raw<Readonly<Record<string, Line>> | null>(null);
let failed = $state(false);
let asked = false;

export const examples = {
    get failed(): boolean {
        return failed;
    },
    /** The line of play with this name; `undefined` until it is loaded. */
    line(name: string): Line | undefined {
        return lines?.[name];
    },
};

/** Fetch the lines, unless they have already been fetched or are being fetched. */
export async function fetchExamples(): Promise<void> {
    if (asked) return;
    asked = true;
    failed = false;
    try {
        lines = (await import("../../lib/generated/lessons.json")).default as unknown as Record<string, Line>;
    } catch {
        // The boards offer a retry button.
        failed = true;
        asked = false;
    }
}
