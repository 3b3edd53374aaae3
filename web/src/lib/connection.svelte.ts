import { hasServer } from "./host";
import { noticeBuild } from "./updates.svelte";

/**
 * Tracks whether the server is reachable. Requests and sockets report success and failure here, and a banner shows the
 * result. While the connection is lost, the server is probed with exponential back-off.
 */
export const FIRST_WAIT = 500;
export const LONGEST_WAIT = 10_000;
/** How long a probe may take before it counts as failed, in milliseconds. */
const PROBE_TIMEOUT = 5_000;

/** Milliseconds to wait before the next attempt. The wait doubles each time, up to ten seconds. */
export function backOff(attempt: number): number {
    return Math.min(FIRST_WAIT * 2 ** attempt, LONGEST_WAIT);
}

let lost = $state(false);
/** Whether the server has responded since the page was opened. */
let reached = $state(false);
let timer: ReturnType<typeof setTimeout> | undefined;
let attempt = 0;

async function probe(): Promise<void> {
    const timeout = new AbortController();
    const abort = setTimeout(() => timeout.abort(), PROBE_TIMEOUT);
    try {
        const answer = await fetch("/api/health", { cache: "no-store", signal: timeout.signal });
        noticeBuild(answer.headers);
        connection.succeed();
    } catch {
        attempt += 1;
        timer = setTimeout(() => void probe(), backOff(attempt));
    } finally {
        clearTimeout(abort);
    }
}

export const connection = {
    /** Whether the server cannot be reached. Reactive. */
    get lost(): boolean {
        return lost;
    },
    /**
     * Whether pages that need the server can be shown. They remain available if the connection is lost later, because
     * it is usually restored soon. Reactive.
     */
    get available(): boolean {
        return hasServer && (reached || !lost);
    },
    fail(): void {
        if (lost) return;
        lost = true;
        attempt = 0;
        timer = setTimeout(() => void probe(), backOff(attempt));
    },
    succeed(): void {
        clearTimeout(timer);
        lost = false;
        reached = true;
    },
    /** Probe immediately. */
    retry(): void {
        clearTimeout(timer);
        attempt = 0;
        void probe();
    },
};
