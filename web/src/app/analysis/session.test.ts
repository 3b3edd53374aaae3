import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { connection } from "../../lib/connection.svelte";
import { leavePage, notices } from "../../lib/notices.svelte";
import { EMPTY_MODULE, FakeWorker } from "../../test/worker";
import { AnalysisSession } from "./session.svelte";

const START = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F";
const NOTHING = { game: null, position: START, packed: null, study: null, step: null };
const line = { start: START, steps: [], now: { position: START, decider: "forest", choices: [] } };

let session: AnalysisSession;
/** The server's answer to the question which games are running. */
let running: () => Promise<Response>;

beforeEach(async () => {
    FakeWorker.install();
    FakeWorker.answer = ({ id, method }: { id: number; method?: string }) =>
        method === "study" ? { id, result: line } : undefined;
    running = () => Promise.resolve(Response.json({ games: [] }));
    vi.stubGlobal("fetch", (address: URL | string) =>
        String(address).endsWith(".wasm") ? Promise.resolve(new Response(EMPTY_MODULE)) : running(),
    );
    session = new AnalysisSession();
    await session.open(NOTHING);
    expect(session.moment).not.toBeNull();
});

afterEach(() => {
    session.close();
    leavePage();
    vi.unstubAllGlobals();
});

/** Make calls that the core leaves unanswered. */
async function wait(...calls: (() => Promise<void>)[]): Promise<Promise<void>[]> {
    FakeWorker.answer = () => undefined;
    const before = FakeWorker.alive[0]?.sent.length ?? 0;
    const made = calls.map((call) => call());
    await vi.waitFor(() => expect(FakeWorker.alive[0]?.sent).toHaveLength(before + calls.length));
    return made;
}

test("leaving the page while the core is busy is not reported as a failure", async () => {
    const calls = await wait(
        () => session.play(["a1-a2"]),
        () => session.toggleThreats(START),
    );
    session.close();
    await Promise.all(calls);
    expect(notices.list).toEqual([]);
});

test("a core that fails is reported", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const calls = await wait(() => session.toggleThreats(START));
    FakeWorker.alive[0]?.fail("unreachable");
    await Promise.all(calls);
    expect(notices.list).toHaveLength(1);
});

describe("the engine", () => {
    /** Start again, with another answer of the server. */
    async function open(answer: typeof running): Promise<void> {
        session.close();
        session = new AnalysisSession();
        running = answer;
        await session.open(NOTHING);
    }

    afterEach(() => connection.succeed());

    test("waits until the running games are known, and does not help in them", async () => {
        let deliver: (response: Response) => void = () => undefined;
        await open(() => new Promise((resolve) => (deliver = resolve)));
        expect([session.isForbidden, session.mayHelp]).toEqual([false, false]);
        deliver(Response.json({ games: [{ kind: "online", position: START }] }));
        await vi.waitFor(() => expect(session.isForbidden).toBe(true));
        expect(session.mayHelp).toBe(false);
    });

    test("helps at other moments", async () => {
        await open(() => Promise.resolve(Response.json({ games: [{ kind: "online", position: "another" }] })));
        await vi.waitFor(() => expect(session.mayHelp).toBe(true));
    });

    test("waits while the server is too busy to answer", async () => {
        const failures = [429, 503];
        let answers = 0;
        await open(() => {
            answers += 1;
            const status = failures.shift();
            return Promise.resolve(status ? new Response("", { status }) : Response.json({ games: [] }));
        });
        await vi.waitFor(() => expect(answers).toBe(2), 5_000);
        expect(session.mayHelp).toBe(false);
        await vi.waitFor(() => expect(session.mayHelp).toBe(true), 5_000);
    });

    test("helps while the server cannot be reached, because then nobody plays online", async () => {
        await open(() => Promise.reject(new TypeError("Failed to fetch")));
        await vi.waitFor(() => expect(connection.lost).toBe(true));
        expect(session.mayHelp).toBe(true);
    });

    test("waits again if the running games were last read some time ago", async () => {
        await vi.waitFor(() => expect(session.mayHelp).toBe(true));
        vi.spyOn(Date, "now").mockReturnValue(Date.now() + 11_000);
        running = () => new Promise(() => undefined);
        const shown = session.tree && session.go(session.tree.root);
        expect(session.mayHelp).toBe(false);
        await shown;
        vi.restoreAllMocks();
    });
});
