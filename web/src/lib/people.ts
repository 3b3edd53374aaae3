import type { Seats, TribeName } from "./client";

/** The tribes that people play. */
export function persons(seats: Seats): TribeName[] {
    return (["forest", "sea"] as const).filter((tribe) => seats[tribe].kind === "person");
}
