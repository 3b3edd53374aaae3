import type { components } from "./api";
import { connection } from "./connection.svelte";

type Schemas = components["schemas"];

export type Choice = Schemas["Choice"];
export type Effect = Schemas["Step"]["effects"][number];
export type FaultView = Schemas["FaultView"];
export type GameList = Schemas["GameList"];
export type GameSummary = Schemas["GameSummary"];
export type GameView = Schemas["GameView"];
export type Line = Schemas["Line"];
export type Moment = Schemas["Moment"];
export type Outcome = Schemas["OutcomeView"];
export type Problem = Schemas["Problem"];
export type Seat = Schemas["Seat"];
export type Seats = Schemas["Seats"];
export type Step = Schemas["Step"];
export type UndoOffer = Schemas["UndoOffer"];
export type Update = Schemas["Update"];
export type TribeName = Moment["active"];
export type VariantName = Schemas["NewGame"]["variant"];

/** What the server fills in itself may be left out. */
type Open<Message, Required extends keyof Message> = Pick<Message, Required> & Partial<Message>;
export type NewSeat = Open<Seat, "kind">;
export type NewGame = Partial<Omit<Schemas["NewGame"], "seats">> & { seats: { forest: NewSeat; sea: NewSeat } };
export type Play = Open<Schemas["Play"], "revision" | "tribe" | "token">;

export interface GameQuery {
    search?: string;
    variant?: VariantName | undefined;
    state?: "running" | "finished" | undefined;
    offset?: number;
    limit?: number;
}

/** Why a request did not do what it should: the server refused, or could not be reached (`offline`). */
export class ApiProblem extends Error {
    override readonly name = "ApiProblem";

    constructor(
        /** A stable slug: `stale-revision`, `unknown-game`, ...; `offline` where nobody answered. */
        readonly kind: string,
        sentence: string,
        readonly status = 0,
        readonly faults: readonly FaultView[] = [],
    ) {
        super(sentence);
    }
}

type Method = "GET" | "POST" | "PUT" | "DELETE";

/** Ask the server. `seat`: the token of a seat, for what only its holder may do. */
export async function send(method: Method, path: string, body?: unknown, seat?: string | null): Promise<Response> {
    let response: Response;
    try {
        response = await fetch(`/api${path}`, {
            method,
            headers: {
                Accept: "application/json",
                ...(body === undefined ? {} : { "Content-Type": "application/json" }),
                ...(seat ? { "X-Seat-Token": seat } : {}),
            },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
    } catch {
        connection.fail();
        throw new ApiProblem("offline", "The server cannot be reached.");
    }
    connection.succeed();
    if (!response.ok) throw await problemOf(response);
    return response;
}

async function problemOf(response: Response): Promise<ApiProblem> {
    try {
        const problem = (await response.json()) as Partial<Problem>;
        if (typeof problem.kind === "string") {
            return new ApiProblem(problem.kind, problem.sentence ?? "", response.status, problem.faults ?? []);
        }
    } catch {
        // Not a problem of ours, but of something between the server and us.
    }
    return new ApiProblem("unexpected", `The server answered ${response.status}.`, response.status);
}

export async function json<Answer>(
    method: Method,
    path: string,
    body?: unknown,
    seat?: string | null,
): Promise<Answer> {
    const response = await send(method, path, body, seat);
    return (await response.json()) as Answer;
}

const ofGame = (id: string, rest = ""): string => `/games/${encodeURIComponent(id)}${rest}`;

/** The server's HTTP API. Everything that is refused is thrown as an {@link ApiProblem}. */
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
    play: (id: string, play: Play) => json<Update>("POST", ofGame(id, "/tokens"), play),
    undo: (id: string, revision: number, scope: "step" | "turn" = "step") =>
        json<Update>("POST", ofGame(id, "/undo"), { revision, scope }),
    confirm: (id: string, revision: number) => json<Update>("POST", ofGame(id, "/confirm"), { revision }),
    record: async (id: string): Promise<string> => (await send("GET", ofGame(id, "/record"))).text(),
    /** For a link that downloads the record. */
    recordAddress: (id: string): string => `/api${ofGame(id, "/record")}`,
    importRecord: (text: string) => json<GameView>("POST", "/records", { text }),
    line: (position: string, tokens: readonly string[] = []) =>
        json<Line>("POST", "/positions/line", { position, tokens }),
    learnLines: () => json<Record<string, Line>>("GET", "/learn/lines"),
};

/** The game after an update; `null` if the update continues another revision, and the whole game has to be fetched. */
export function updated(game: GameView, update: Update): GameView | null {
    if (update.game !== game.id || update.base !== game.revision) return null;
    return {
        ...game,
        changed: new Date().toISOString(),
        revision: update.revision,
        steps: [...game.steps.slice(0, update.kept), ...update.steps],
        now: update.now,
        // The end of an online game tells new ratings, and the seed.
        ...(update.players ? { players: update.players } : {}),
        ...(update.proof ? { proof: update.proof } : {}),
    };
}
