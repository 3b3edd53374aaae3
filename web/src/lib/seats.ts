/**
 * What this browser holds of its seats in online games: their tokens, and what it saw and added before the game began,
 * so that it can tell afterwards whether the server kept its word.
 */
import type { TribeName } from "./client";

const STORE = "cairn.seats";
const MOST = 200;

export interface HeldSeat {
    /** The token; `null` where the session alone holds the seat. */
    token: string | null;
    /** The commitment that was shown before the number was made. */
    commitment: string;
    /** The number that was added; empty where there is none that the game could have. */
    number: string;
    /** Whether nobody has said yet that the number arrived. */
    unanswered?: boolean | undefined;
    /** What the challenge said: whether it is ours, whether tribes are tossed, who begins if that is not tossed. */
    agreed?: { made: boolean; tossed: boolean; first: TribeName | null } | undefined;
    /** The secret of the link, of a challenge that waits for somebody. */
    invite?: string | undefined;
    /** Whether the game is still to begin. */
    waiting?: boolean | undefined;
}

type Seats = Record<string, HeldSeat>;

function load(): Seats {
    try {
        const found: unknown = JSON.parse(localStorage.getItem(STORE) ?? "{}");
        return typeof found === "object" && found !== null ? (found as Seats) : {};
    } catch {
        return {}; // Storage is switched off, or what it holds is not ours.
    }
}

function save(seats: Seats): void {
    try {
        // The oldest seats go when there are too many.
        localStorage.setItem(STORE, JSON.stringify(Object.fromEntries(Object.entries(seats).slice(-MOST))));
    } catch {
        // As above: the session holds the seat, too.
    }
}

/** The seat in a game, or in the game that a challenge of the same id will become. */
export function seatOf(game: string): HeldSeat | null {
    return load()[game] ?? null;
}

export function keepSeat(game: string, seat: HeldSeat): void {
    const others = Object.entries(load()).filter(([id]) => id !== game);
    save({ ...Object.fromEntries(others), [game]: seat });
}

export function changeSeat(game: string, change: Partial<HeldSeat>): void {
    const held = seatOf(game);
    if (held) keepSeat(game, { ...held, ...change });
}

/** The challenges of this browser that wait for somebody. */
export function waitingSeats(): string[] {
    return Object.entries(load())
        .filter(([, seat]) => seat.waiting)
        .map(([game]) => game);
}

/** A number of one's own for the draws: 32 random bytes. To be made when the commitment has been seen, not before. */
export function newNumber(): string {
    return hex(crypto.getRandomValues(new Uint8Array(32)));
}

export function hex(bytes: Uint8Array): string {
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
