/**
 * Stores this browser's seats in online games: the seat tokens, and the values that were sent and received before each
 * game started. With these values, the browser can verify the draws afterwards.
 */
import type { TribeName } from "./client";
import { localStore, readJson, writeJson } from "./storage";

const STORE = "cairn.seats";
const MOST = 200;

export interface HeldSeat {
    /** The seat token; `null` if the seat is tied to the session only. */
    token: string | null;
    /** The commitment that was received before the number was generated. */
    commitment: string;
    /** The number that this browser sent; empty if the game does not use a number from this browser. */
    number: string;
    /** Whether the server has yet to confirm the number. */
    unanswered?: boolean | undefined;
    /** The terms of the challenge: whether we created it, whether a toss decides the tribes, who goes first (if
     *  that is fixed), and whether the draws are sealed. */
    agreed?: { made: boolean; tossed: boolean; first: TribeName | null; sealed?: boolean } | undefined;
    /** The secret of the invitation link, while the challenge is open. */
    invite?: string | undefined;
    /** Whether the game has yet to start. */
    waiting?: boolean | undefined;
}

type Seats = Record<string, HeldSeat>;

function load(): Seats {
    const found = readJson(localStore, STORE);
    return typeof found === "object" && found !== null ? (found as Seats) : {};
}

function save(seats: Seats): void {
    // Keep only the newest seats.
    writeJson(localStore, STORE, Object.fromEntries(Object.entries(seats).slice(-MOST)));
}

/** The seat in a game, or in the game that a challenge with the same id will become. */
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

/** The open challenges of this browser. */
export function waitingSeats(): string[] {
    return Object.entries(load())
        .filter(([, seat]) => seat.waiting)
        .map(([game]) => game);
}

/** A number for the draws: 32 random bytes. Generate it only after receiving the commitment. */
export function newNumber(): string {
    return hex(crypto.getRandomValues(new Uint8Array(32)));
}

export function hex(bytes: Uint8Array): string {
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
