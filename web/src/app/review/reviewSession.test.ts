import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { notices, leavePage } from "../../lib/notices.svelte";
import { EMPTY_MODULE, FakeWorker } from "../../test/worker";
import { ReviewSession } from "./reviewSession.svelte";

let session: ReviewSession;
/** Delivers the record that the session has requested. */
let deliver: () => void;

beforeEach(() => {
    FakeWorker.install();
    vi.stubGlobal("fetch", () => Promise.resolve(new Response(EMPTY_MODULE)));
    session = new ReviewSession({
        load: () => new Promise((resolve) => (deliver = () => resolve({ record: "1 F a1-a2 *", findings: null }))),
    });
});

afterEach(() => {
    session.close();
    leavePage();
    vi.unstubAllGlobals();
});

describe("while a review is loading", () => {
    test("leaving the page leaves no worker behind", async () => {
        const started = session.start();
        session.close();
        deliver();
        await started;
        expect(FakeWorker.alive).toEqual([]);
    });

    test("a cancelled review stays cancelled", async () => {
        const started = session.start();
        session.cancel();
        deliver();
        await started;
        expect(session.state).toBe("cancelled");
        expect(FakeWorker.alive).toEqual([]);
    });

    test("a second start replaces the first one", async () => {
        const first = session.start();
        const deliverFirst = deliver;
        void session.start();
        deliver();
        await vi.waitFor(() => expect(FakeWorker.alive.length).toBeGreaterThan(0));
        const kept = FakeWorker.alive;
        deliverFirst();
        await first;
        expect(FakeWorker.alive).toEqual(kept);
    });
});

describe("after the review", () => {
    const line = {
        start: "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F",
        steps: [],
        now: { phase: "action", choices: [{ token: "a1-a2", paths: [["a1", "a2"]], aim: "shaman" }] },
    };
    const answers: Record<string, unknown> = {
        open: { weights: [1], line, outcome: { winner: "forest", reason: "score" }, headers: [] },
        unit: "findings",
        assemble: { steps: [{ token: "c1-c2", decider: "forest", better: ["a1-a2"] }] },
        line,
    };

    beforeEach(async () => {
        vi.spyOn(console, "error").mockReturnValue();
        FakeWorker.answer = ({ kind }: { kind: string }) => answers[kind];
        const started = session.start();
        deliver();
        await started;
        expect(session.state).toBe("done");
    });

    /** Try a token. The worker is still judging it when this resolves. */
    async function tryToken(): Promise<FakeWorker> {
        await session.retry(0);
        session.tap("a1");
        session.tap("a2");
        const [worker] = FakeWorker.alive;
        await vi.waitFor(() => expect(worker?.sent.at(-1)).toMatchObject({ kind: "retry", token: "a1-a2" }));
        expect(session.mode).toMatchObject({ judging: true });
        return worker as FakeWorker;
    }

    test("a failed retry is reported, and the token can be tried again", async () => {
        (await tryToken()).fail("unreachable");
        await vi.waitFor(() => expect(session.mode).toMatchObject({ judging: false, verdict: null }));
        expect(notices.list).toHaveLength(1);
        expect(session.choices).toHaveLength(1);
    });

    test("a better line that fails is reported", async () => {
        delete answers.line;
        const shown = session.showBetter(0);
        await vi.waitFor(() => expect(FakeWorker.alive[0]?.sent.at(-1)).toMatchObject({ kind: "line" }));
        FakeWorker.alive[0]?.fail("unreachable");
        await shown;
        answers.line = line;
        expect(session.mode.kind).toBe("game");
        expect(notices.list).toHaveLength(1);
    });

    test("nothing is reported to a visitor who has left", async () => {
        await tryToken();
        session.close();
        await new Promise((resolve) => setTimeout(resolve));
        expect(notices.list).toEqual([]);
    });
});
