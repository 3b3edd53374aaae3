import { packedIn } from "./ids";

export type { Claim, Retry, Review } from "../../core/core";

/** The path of the review of a game. A game from a link stays in the fragment, so that no server sees it. */
export function reviewPath(id: string): string {
    const packed = packedIn(id);
    return packed === null ? `/review/${id}` : `/review#${packed}`;
}
