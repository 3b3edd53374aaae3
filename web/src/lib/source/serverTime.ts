import type { AuthorityClock } from "./source";

/** How fast a measurement loses its weight, since clocks drift. */
const AGEING = 1.1;

/** The difference between the server's clock and this device's, learned from answers with a measured way. */
export class ServerTime implements AuthorityClock {
    #offset = 0;
    #shortest = Infinity;
    /** Milliseconds to the server and back, smoothed; `null` before the first measurement. */
    lag: number | null = null;

    /** An answer was sent at `at` by the server's clock; asked at `sent` and received at `received` by ours. */
    learn(sent: number, received: number, at: number): void {
        const way = received - sent;
        this.lag = this.lag === null ? way : Math.round(0.7 * this.lag + 0.3 * way);
        // The fastest answer is the most exact one.
        if (way <= this.#shortest) {
            this.#shortest = way;
            this.#offset = at - (sent + way / 2);
        } else this.#shortest *= AGEING;
    }

    now(): number {
        return Date.now() + this.#offset;
    }
}
