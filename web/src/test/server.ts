/** A fake server for component tests. It answers by method and path and records the requests. */
import { vi } from "vitest";

export interface Asked {
    method: string;
    path: string;
    query: URLSearchParams;
    body: unknown;
}

type Answer = (asked: Asked) => unknown;

/** An answer with a status other than 200. */
export class Status {
    constructor(
        readonly status: number,
        readonly body: unknown,
    ) {}
}

/** Install the server. `answers` maps keys such as "POST /api/games" to response functions; other requests fail. */
export function serve(answers: Record<string, Answer>): Asked[] {
    const asked: Asked[] = [];
    vi.stubGlobal("fetch", async (address: string, options: RequestInit = {}) => {
        const url = new URL(address, "http://cairn.test");
        const method = options.method ?? "GET";
        const body: unknown = typeof options.body === "string" ? JSON.parse(options.body) : undefined;
        const request: Asked = { method, path: url.pathname, query: url.searchParams, body };
        asked.push(request);
        const answer = answers[`${method} ${url.pathname}`];
        if (!answer) throw new Error(`no answer for ${method} ${url.pathname}`);
        const given = answer(request);
        if (given instanceof Status) return Response.json(given.body, { status: given.status });
        return given === undefined ? new Response(null, { status: 204 }) : Response.json(given);
    });
    return asked;
}
