import type { ChallengeView } from "../lib/online";

/** A challenge created by an account. Tests modify it as needed. */
export const challenge: ChallengeView = {
    id: "c",
    created: "2026-11-15T05:00:00Z",
    creator: { id: "a", kind: "account", name: "Ann", rating: 1500, provisional: true, online: true },
    variant: "beginner",
    tribe: null,
    first: null,
    clock: null,
    rated: true,
    open: false,
    level: null,
    rematch_of: null,
    commitment: "0".repeat(64),
    ready: true,
    state: "open",
    game: null,
    yours: false,
    refusal: null,
    sealed: false,
};
