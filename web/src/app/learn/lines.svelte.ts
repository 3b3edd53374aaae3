import { api, type Line } from "../../lib/client";

/** The lines of the engine that the boards show, fetched once for all of them. */
let lines = $state.raw<Readonly<Record<string, Line>> | null>(null);
let failed = $state(false);
let asked = false;

export const examples = {
    get failed(): boolean {
        return failed;
    },
    /** The line of that name; nothing before it has arrived. */
    line(name: string): Line | undefined {
        return lines?.[name];
    },
};

/** Fetch the lines, unless they are there or on their way. */
export async function fetchExamples(): Promise<void> {
    if (asked) return;
    asked = true;
    failed = false;
    try {
        lines = await api.learnLines();
    } catch {
        // A lost connection has its own banner; the boards say that they are missing and offer another try.
        failed = true;
        asked = false;
    }
}
