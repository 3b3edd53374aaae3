/** The API for playing against other people: challenges, the lobby, live games, players and chat. */
import type { components } from "./api";
import { json, send } from "./client";

type Schemas = components["schemas"];

export type ChallengeView = Schemas["ChallengeView"];
export type NewChallenge = Partial<Schemas["NewChallenge"]>;
export type NewChallengeView = Schemas["NewChallengeView"];
export type Begun = Schemas["Begun"];
export type Lobby = Schemas["Lobby"];
export type RunningGames = Schemas["RunningGames"];
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

/** Whether each draw of a game needs a link from both players. */
export const isSealed = (proof: ProofView | null | undefined): boolean => proof?.version === 3;

/** The messages on a game's socket. */
export type GameMessage =
    Schemas["GameMessage"] | Schemas["UpdateMessage"] | DoneMessage | RefusedMessage | TableMessage;
export type DoneMessage = Schemas["DoneMessage"];
export type RefusedMessage = Schemas["RefusedMessage"];
/** A message about the players and spectators of a game rather than the game itself. */
export type TableMessage = Schemas["PresenceMessage"] | Schemas["ChatMessage"] | Schemas["RematchMessage"];

/** A command before it is sent. Fields with a default may be omitted; the id is added later. */
type Sent<Of extends { type: string }, Needed extends keyof Of = never> = Pick<Of, "type" | Needed> & Partial<Of>;

/** A command that changes the game or the chat. It is also accepted over HTTP. */
export type GameCommand =
    | Sent<Schemas["Play"], "revision" | "tribe" | "token">
    | Sent<Schemas["Undo"], "revision">
    | Sent<Schemas["Confirm"], "revision">
    | Sent<Schemas["Reveal"], "revision" | "link">
    | Sent<Schemas["Offer"], "revision" | "what">
    | Sent<Schemas["Answer"], "revision" | "answer">
    | Sent<Schemas["Resign"]>
    | Sent<Schemas["Claim"]>
    | Sent<Schemas["Say"]>;
/** A command about the connection itself, which only a socket accepts. */
export type SocketCommand = Sent<Schemas["Hello"], "seat"> | Sent<Schemas["Ping"]>;

const at = (...parts: string[]): string => `/${parts.map(encodeURIComponent).join("/")}`;

export const online = {
    challenge: (idOrInvite: string) => json<ChallengeView>("GET", at("challenges", idOrInvite)),
    create: (request: NewChallenge) => json<NewChallengeView>("POST", "/challenges", request),
    addNumber: (id: string, number: string, sealed: boolean) =>
        json<ChallengeView>("PUT", at("challenges", id, "number"), { number, sealed }),
    accept: (id: string, number: string, invite: string | null, sealed: boolean) =>
        json<Begun>("POST", at("challenges", id, "accept"), { number, invite, sealed }),
    withdraw: (id: string) => send("DELETE", at("challenges", id)),
    lobby: () => json<Lobby>("GET", "/lobby"),
    running: () => json<RunningGames>("GET", "/running"),
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
