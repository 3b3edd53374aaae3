import type { components } from "./api";
import { connection } from "./connection.svelte";
import { hasServer } from "./host";
import { parseJson } from "./storage";
import { noticeBuild } from "./updates.svelte";

type Schemas = components["schemas"];

export type Choice = Schemas["Choice"];
export type Effect = Schemas["Step"]["effects"][number];
export type ExploredToken = Schemas["ExploredToken"];
export type ExplorerSummary = Schemas["ExplorerSummary"];
export type FaultView = Schemas["FaultView"];
export type GameList = Schemas["GameList"];
export type GameSummary = Schemas["GameSummary"];
export type GameView = Schemas["GameView"];
export type Line = Schemas["LineView"];
export type Moment = Schemas["MomentView"];
export type Consequence = Schemas["Consequence"];
export type Outcome = Schemas["OutcomeView"];
export type Problem = Schemas["Problem"];
export type Seat = Schemas["Seat"];
export type Seats = Schemas["Seats"];
export type Step = Schemas["Step"];
export type UndoOffer = Schemas["UndoOffer"];
export type Update = Schemas["Update"];
export type TribeName = Moment["active"];
export type VariantName = Schemas["NewGame"]["variant"];

/** A message in which fields that the server fills in may be omitted. */
type Open<Message, Required extends keyof Message> = Pick<Message, Required> & Partial<Message>;
export type NewSeat = Open<Seat, "kind">;
export type NewGame = Partial<Omit<Schemas["NewGame"], "seats">> & { seats: { forest: NewSeat; sea: NewSeat } };

export interface GameQuery {
    search?: string;
    variant?: VariantName | undefined;
    state?: "running" | "finished" | undefined;
    offset?: number;
    limit?: number;
    /** Leave out local games in which nothing has been played, except the newest game and custom positions. */
    begun?: boolean;
}

/** Statuses after which a retry is pointless, because the visitor has no access or the game does not exist. */
const FINAL: ReadonlySet<number> = new Set([403, 404, 410]);
/** How long to wait for a response, in milliseconds. */
export const REQUEST_TIMEOUT = 20_000;

/** Why a request failed: the server refused it or did not respond (`offline`). */
export class ApiProblem extends Error {
    override readonly name = "ApiProblem";

    constructor(
        /** A stable slug: `stale-revision`, `unknown-game`, …; `offline` if there was no response. */
        readonly kind: string,
        sentence: string,
        readonly status = 0,
        readonly faults: readonly FaultView[] = [],
        /** How many seconds to wait before the next attempt; 0 if the server did not specify a time. */
        readonly seconds = 0,
    ) {
        super(sentence);
    }

    /** Whether the authority refused the request. */
    get isRefusal(): boolean {
        return this.status >= 400 && this.status < 500;
    }

    /** Whether a retry is pointless, because the visitor has no access or the resource does not exist. */
    get isFinal(): boolean {
        return FINAL.has(this.status);
    }
}

type Method = "GET" | "POST" | "PUT" | "DELETE";

/** Send a request and read the whole response. `seat` is a seat token, for requests restricted to the seat's holder. */
export async function send(method: Method, path: string, body?: unknown, seat?: string | null): Promise<string> {
    if (!hasServer) throw new ApiProblem("offline", "This is a static site without a server.");
    let response: Response;
    let text: string;
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), REQUEST_TIMEOUT);
    try {
        response = await fetch(`/api${path}`, {
            method,
            headers: {
                Accept: "application/json",
                ...(body === undefined ? {} : { "Content-Type": "application/json" }),
                ...(seat ? { "X-Seat-Token": seat } : {}),
            },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
            signal: timeout.signal,
        });
        text = await response.text();
    } catch {
        connection.fail();
        throw new ApiProblem("offline", "The server cannot be reached.");
    } finally {
        clearTimeout(timer);
    }
    noticeBuild(response.headers);
    connection.succeed();
    if (!response.ok) throw problemOf(response.status, text);
    return text;
}

function problemOf(status: number, text: string): ApiProblem {
    const problem = parseJson(text) as Partial<Problem> | null;
    // Any other response comes from an intermediary, such as a proxy.
    return typeof problem?.kind === "string"
        ? new ApiProblem(problem.kind, problem.sentence ?? "", status, problem.faults ?? [], problem.seconds ?? 0)
        : new ApiProblem("unexpected", `The server responded with status ${status}.`, status);
}

export async function json<Answer>(
    method: Method,
    path: string,
    body?: unknown,
    seat?: string | null,
): Promise<Answer> {
    return JSON.parse(await send(method, path, body, seat)) as Answer;
}

const ofGame = (id: string, rest = ""): string => `/games/${encodeURIComponent(id)}${rest}`;

/** The server's HTTP API. Every function throws an {@link ApiProblem} if the request fails. */
export const api = {
    newGame: (game: NewGame) => json<GameView>("POST", "/games", game),
    game: (id: string) => json<GameView>("GET", ofGame(id)),
    games: (query: GameQuery = {}) => {
        const search = new URLSearchParams();
        for (const [name, value] of Object.entries(query)) {
            if (value !== undefined && value !== "") search.set(name, String(value));
        }
        return json<GameList>("GET", `/games?${search}`);
    },
    deleteGame: async (id: string): Promise<void> => void (await send("DELETE", ofGame(id))),
    restoreGame: async (id: string): Promise<void> => void (await send("POST", ofGame(id, "/restore"))),
    record: (id: string): Promise<string> => send("GET", ofGame(id, "/record")),
    /** The URL of the record, for a download link. */
    recordAddress: (id: string): string => `/api${ofGame(id, "/record")}`,
    /** Create a game from a record. `id` is an idempotency key: the same record with the same id creates one game. */
    importRecord: (text: string, id?: string) =>
        json<GameView>("POST", "/records", { text, ...(id === undefined ? {} : { id }) }),
    line: (position: string, tokens: readonly string[] = []) =>
        json<Line>("POST", "/positions/line", { position, tokens }),
};

/**
 * The game after an update; `null` if the update is based on another revision and the whole game has to be fetched.
 * `now` must be the server's time, because `changed` is a server time.
 */
export function updated(game: GameView, update: Update, now: number): GameView | null {
    if (update.game !== game.id || update.base !== game.revision) return null;
    return {
        ...game,
        changed: new Date(now).toISOString(),
        revision: update.revision,
        steps: [...game.steps.slice(0, update.kept), ...update.steps],
        now: update.now,
        // The update that ends an online game includes the new ratings and the seed.
        ...(update.players ? { players: update.players } : {}),
        ...(update.proof ? { proof: update.proof } : {}),
        // With sealed draws, the starting position is drawn after the game has started.
        ...(update.start ? { start: update.start } : {}),
    };
}
