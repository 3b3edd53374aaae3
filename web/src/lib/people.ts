import type { Seats, TribeName } from "./client";

/** The tribes played by people. */
export function persons(seats: Seats): TribeName[] {
    return (["forest", "sea"] as const).filter((tribe) => seats[tribe].kind === "person");
}

export function opponentOf(tribe: TribeName): TribeName {
    return tribe === "forest" ? "sea" : "forest";
}
