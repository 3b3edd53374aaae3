/** A fake server for component tests. It selects a response by method and path, and records the requests. */
import { vi } from "vitest";

export interface Asked {
    method: string;
    path: string;
    query: URLSearchParams;
    body: unknown;
}

type Answer = (asked: Asked) => unknown;

/** A response with a status other than 200. */
export class Status {
    constructor(
        readonly status: number,
        readonly body: unknown,
    ) {}
}

/** Install the server and return its list of requests. Requests without an entry such as "POST /api/games" fail. */
export function serve(answers: Record<string, Answer>): Asked[] {
    const asked: Asked[] = [];
    vi.stubGlobal("fetch", async (address: string, options: RequestInit = {}) => {
        const url = new URL(address, "http://cairn.test");
        const method = options.method ?? "GET";
        const body: unknown = typeof options.body === "string" ? JSON.parse(options.body) : undefined;
        const request: Asked = { method, path: url.pathname, query: url.searchParams, body };
        asked.push(request);
        const answer = answers[`${method} ${url.pathname}`];
        if (!answer) throw new Error(`the test defines no response for ${method} ${url.pathname}`);
        const given = answer(request);
        if (given instanceof Status) return Response.json(given.body, { status: given.status });
        return given === undefined ? new Response(null, { status: 204 }) : Response.json(given);
    });
    return asked;
}
