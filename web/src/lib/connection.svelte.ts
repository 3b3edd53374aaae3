/**
 * Whether the server is reachable. Requests and sockets report it here, and a banner shows it. While the connection is
 * lost, the server is probed with exponential back-off.
 */
export const FIRST_WAIT = 500;
export const LONGEST_WAIT = 10_000;
/** A probe that takes longer than this has failed. */
const PROBE_TIMEOUT = 5_000;

/** Milliseconds to wait before the next attempt: doubled each time, up to ten seconds. */
export function backOff(attempt: number): number {
    return Math.min(FIRST_WAIT * 2 ** attempt, LONGEST_WAIT);
}

let lost = $state(false);
let timer: ReturnType<typeof setTimeout> | undefined;
let attempt = 0;

async function probe(): Promise<void> {
    const timeout = new AbortController();
    const abort = setTimeout(() => timeout.abort(), PROBE_TIMEOUT);
    try {
        await fetch("/api/health", { cache: "no-store", signal: timeout.signal });
        connection.succeed();
    } catch {
        attempt += 1;
        timer = setTimeout(() => void probe(), backOff(attempt));
    } finally {
        clearTimeout(abort);
    }
}

export const connection = {
    /** Reactive. */
    get lost(): boolean {
        return lost;
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
    },
    /** Probe immediately. */
    retry(): void {
        clearTimeout(timer);
        attempt = 0;
        void probe();
    },
};
