import type { GameSummary, Seats, TribeName } from "./client";

/** The tribes played by people. */
export function persons(seats: Seats): TribeName[] {
    return (["forest", "sea"] as const).filter((tribe) => seats[tribe].kind === "person");
}

/** The player's own tribe; `null` if it is unknown, for instance if two people play at one screen. */
export function ownTribe({ seats, you }: Pick<GameSummary, "seats" | "you">): TribeName | null {
    if (you.length > 0) return you.length === 1 ? (you[0] ?? null) : null;
    if (seats.forest.kind === seats.sea.kind) return null;
    return seats.forest.kind === "person" ? "forest" : "sea";
}

/** The other tribe. Folders that may import from the board use its `otherTribe`. */
export function opponentOf(tribe: TribeName): TribeName {
    return tribe === "forest" ? "sea" : "forest";
}
