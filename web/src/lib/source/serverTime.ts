import type { AuthorityClock } from "./source";

/** The factor by which the shortest round trip grows with each slower one, so that old measurements are replaced. */
const AGEING = 1.1;

/** Estimates the server's clock from answers whose round trip was measured. */
export class ServerTime implements AuthorityClock {
    #offset = 0;
    #shortest = Infinity;
    /** The smoothed round-trip time in milliseconds; `null` before the first measurement. */
    lag: number | null = null;

    /** Learn from an answer. `at` is the server's time; `sent` and `received` are times on our clock. */
    learn(sent: number, received: number, at: number): void {
        const way = received - sent;
        this.lag = this.lag === null ? way : Math.round(0.7 * this.lag + 0.3 * way);
        // The fastest round trip is the most accurate one.
        if (way <= this.#shortest) {
            this.#shortest = way;
            this.#offset = at - (sent + way / 2);
        } else this.#shortest *= AGEING;
    }

    now(): number {
        return Date.now() + this.#offset;
    }
}
