/**
 * Reads requests, one JSON object per line, and writes the WebAssembly core's answer to each, also as a line of JSON.
 * test_wasm.py compares the answers with those of the native core and with the test vectors.
 */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

import {
    Core,
    type GameRecord,
    hasFaults,
    type SearchState,
    type TribeName,
    type VariantName,
} from "../../web/core/core.ts";
import { LocalGame } from "../../web/core/localGame.ts";

interface Request {
    position: string;
    tokens?: string[];
    perft?: number;
    level?: number;
    seed?: string;
    nodes?: number;
    lines?: number;
    /** The search pauses at every n-th opportunity. */
    pauseEvery?: number;
    /** The search is stopped after this many pauses. */
    stopAfter?: number;
    /** The weights of a network for all later searches, in base64. The answer says whether they were accepted. */
    network?: string;
    /** The bytes of a record, in base64. */
    record?: string;
    /** Review the record with this many nodes; the answer is the review, and the retry of each token named here. */
    review?: { nodes: number; retries: [index: number, token: string][] };
    deal?: { key: string; variant: VariantName; first: TribeName | null };
    /** Methods of a new local game, called in order. */
    calls?: [method: string, ...values: unknown[]][];
}

const module = await WebAssembly.compile(readFileSync(process.argv[2]!));
let questions = 0;
let pauseEvery = Infinity;
const core = await Core.load(module, () => ++questions % pauseEvery === 0);

/** The moments at the start and after each token, with the legal tokens and the effects of the token just played. */
function replay({ position, tokens = [] }: Request): unknown {
    const start = core.start(position);
    if (hasFaults(start)) return start;
    const moments: unknown[] = [{ moment: start, legal: core.legalTokens() }];
    for (const token of tokens) {
        const played = core.play(token);
        if (hasFaults(played)) return [...moments, played];
        const legal = core.legalTokens();
        // Undo must restore the previous moment, so that playing the token again gives the same answer.
        core.undo();
        if (JSON.stringify(core.play(token)) !== JSON.stringify(played)) throw new Error(`undo of ${token} failed`);
        moments.push({ ...played, legal });
    }
    return moments;
}

function search(request: Request): SearchState | null {
    core.clear();
    questions = 0;
    pauseEvery = request.pauseEvery ?? Infinity;
    const begun =
        request.level === undefined
            ? core.beginSearch(request.nodes ?? 0, 0, request.lines ?? 1)
            : core.beginDecision(request.level, BigInt(request.seed ?? 0));
    if (!begun) return null;
    for (let slices = 1; ; slices++) {
        const state = core.proceed();
        if (state.done) return state;
        if (slices === request.stopAfter) core.abort();
    }
}

/** Reads a record, and writes it again. */
function rewrite(base64: string): unknown {
    const read = core.readRecord(new Uint8Array(Buffer.from(base64, "base64")));
    if (hasFaults(read)) return read;
    const { headers, notes, ...rest }: GameRecord = read;
    return { ...rest, headers, notes, written: core.writeRecord(headers, notes) };
}

/** The result of each call. A value `{ base64 }` stands for bytes. The clock advances by one second per call. */
function call(calls: Request["calls"] & object): unknown[] {
    let seconds = 0;
    const game = new LocalGame(core, () => new Date(Date.UTC(2026, 10, 15, 12) + 1_000 * seconds));
    return calls.map(([method, ...values]) => {
        const decoded = values.map((value) =>
            typeof value === "object" && value && "base64" in value
                ? new Uint8Array(Buffer.from(String(value.base64), "base64"))
                : value,
        );
        seconds += 1;
        return (game as unknown as Record<string, (...values: unknown[]) => unknown>)[method]!(...decoded) ?? null;
    });
}

/** Reviews the game in a record, its units in reverse order. */
function review(base64: string, { nodes, retries }: NonNullable<Request["review"]>): unknown {
    core.readRecord(new Uint8Array(Buffer.from(base64, "base64")));
    const units = [...core.planReview(nodes)!.keys()];
    const findings = units.toReversed().map((unit) => core.reviewUnit(unit)!);
    const whole = core.assembleReview(findings.toReversed());
    return { review: whole, retries: retries.map(([index, token]) => core.retry(index, token)) };
}

function answer(request: Request): unknown {
    if (request.network !== undefined) return core.loadNetwork(new Uint8Array(Buffer.from(request.network, "base64")));
    if (request.record !== undefined && request.review) return review(request.record, request.review);
    if (request.record !== undefined) return rewrite(request.record);
    if (request.calls) return call(request.calls);
    if (request.deal) {
        const { key, variant, first } = request.deal;
        return core.deal(new Uint8Array(Buffer.from(key, "hex")), variant, first);
    }
    const moments = replay(request);
    if (request.perft !== undefined) return core.perft(request.perft);
    return request.level === undefined && request.nodes === undefined ? moments : search(request);
}

for await (const line of createInterface({ input: process.stdin })) {
    process.stdout.write(`${JSON.stringify(answer(JSON.parse(line)))}\n`);
}
