/** The API for playing with others: challenges, lobby, live games, players, chat. */
import type { components } from "./api";
import { json, send } from "./client";

type Schemas = components["schemas"];

export type ChallengeView = Schemas["ChallengeView"];
export type NewChallenge = Partial<Schemas["NewChallenge"]>;
export type NewChallengeView = Schemas["NewChallengeView"];
export type Begun = Schemas["Begun"];
export type Lobby = Schemas["Lobby"];
export type LiveGames = Schemas["LiveGames"];
export type LiveGameView = Schemas["LiveGameView"];
export type Profile = Schemas["Profile"];
export type Leaderboard = Schemas["Leaderboard"];
export type RatingPoint = Schemas["RatingPoint"];
export type ChatLine = Schemas["ChatLine"];
export type ChatLog = Schemas["ChatLog"];
export type PhraseName = NonNullable<ChatLine["phrase"]>;
export type SeatPlayer = Schemas["SeatPlayer"];
export type Players = Schemas["Players"];
export type ClockView = Schemas["ClockView"];
export type Control = ClockView["control"];
export type ProofView = Schemas["ProofView"];
export type OfferView = Schemas["OfferView"];

/** Messages on a game's socket, apart from the game and its updates. */
export type TableMessage =
    | { type: "done"; id: string; revision: number | null; at?: number }
    | { type: "refused"; id: string; problem: Schemas["Problem"] }
    | { type: "presence"; forest: boolean; sea: boolean; watchers: number | null }
    | { type: "chat"; line: ChatLine }
    | { type: "rematch"; challenge: string; by: "forest" | "sea" };

const at = (...parts: string[]): string => `/${parts.map(encodeURIComponent).join("/")}`;

export const online = {
    challenge: (idOrInvite: string) => json<ChallengeView>("GET", at("challenges", idOrInvite)),
    create: (wish: NewChallenge) => json<NewChallengeView>("POST", "/challenges", wish),
    addNumber: (id: string, number: string) => json<ChallengeView>("PUT", at("challenges", id, "number"), { number }),
    accept: (id: string, number: string, invite: string | null) =>
        json<Begun>("POST", at("challenges", id, "accept"), { number, invite }),
    withdraw: (id: string) => send("DELETE", at("challenges", id)),
    lobby: () => json<Lobby>("GET", "/lobby"),
    live: () => json<LiveGames>("GET", "/live"),
    rematch: (game: string, seat: string | null) =>
        json<NewChallengeView>("POST", at("games", game, "rematch"), undefined, seat),
    rematches: (game: string) => json<Lobby>("GET", at("games", game, "rematch")),
    chat: (game: string, seat: string | null) => json<ChatLog>("GET", at("games", game, "chat"), undefined, seat),
    report: (game: string, about: "forest" | "sea" | null, text: string, seat: string | null) =>
        send("POST", at("games", game, "report"), { about, text }, seat),
    player: (name: string) => json<Profile>("GET", at("players", name)),
    leaders: (variant: string) => json<Leaderboard>("GET", `/leaderboard?variant=${variant}`),
};
