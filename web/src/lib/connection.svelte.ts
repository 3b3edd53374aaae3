/**
 * Whether the server answers. The banner of the shell shows it; requests and sockets report to it. While it is lost,
 * the server is asked again and again whether it is back, less and less often.
 */
export const FIRST_WAIT = 500;
export const LONGEST_WAIT = 10_000;

/** How long to wait before the next attempt, in milliseconds: doubling, up to ten seconds. */
export function backOff(attempt: number): number {
    return Math.min(FIRST_WAIT * 2 ** attempt, LONGEST_WAIT);
}

let lost = $state(false);
let timer: ReturnType<typeof setTimeout> | undefined;
let attempt = 0;

async function probe(): Promise<void> {
    try {
        await fetch("/api/health", { cache: "no-store" });
        connection.succeed();
    } catch {
        attempt += 1;
        timer = setTimeout(() => void probe(), backOff(attempt));
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
    /** Ask at once. */
    retry(): void {
        clearTimeout(timer);
        attempt = 0;
        void probe();
    },
};
