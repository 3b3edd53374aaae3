import { api, type Line } from "../../lib/client";

/** The lines of the engine that the boards show, fetched once for all of them. */
let lines = $state.raw<Readonly<Record<string, Line>> | null>(null);
let failed = $state(false);
let asked = false;

export const examples = {
    get failed(): boolean {
        return failed;
    },
    /** The line of that name; `undefined` until it has arrived. */
    line(name: string): Line | undefined {
        return lines?.[name];
    },
};

/** Fetch the lines, unless that has been done or is being done. */
export async function fetchExamples(): Promise<void> {
    if (asked) return;
    asked = true;
    failed = false;
    try {
        lines = await api.learnLines();
    } catch {
        // A lost connection has its own banner; the boards offer to try again.
        failed = true;
        asked = false;
    }
}
