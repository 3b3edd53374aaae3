/** Searches units of a review in a worker, and answers questions about the reviewed game. `reviewClient.ts` uses it. */
import { Core, hasFaults, isRefusal, type Messages, type Outcome, type Retry, type Review } from "./core.ts";
import { failWorker } from "./workerError.ts";

export type ReviewTask =
    | { kind: "open"; module: WebAssembly.Module; record: string; nodes: number }
    | { kind: "unit"; unit: number }
    | { kind: "assemble"; findings: string[] }
    | { kind: "retry"; index: number; token: string }
    | { kind: "line"; tokens: string[] };

export interface OpenedGame {
    /** The weight of each unit; empty if the game is not over, because running games are not reviewed. */
    weights: number[];
    line: Messages["LineView"];
    outcome: Outcome | null;
    headers: [name: string, value: string][];
}

export interface ReviewAnswers {
    open: OpenedGame;
    unit: string;
    assemble: Review;
    retry: Retry;
    line: Messages["LineView"];
}

let core: Core;
let start = "";

async function open(task: Extract<ReviewTask, { kind: "open" }>): Promise<OpenedGame> {
    core = await Core.load(task.module);
    const read = core.readRecord(new TextEncoder().encode(task.record));
    if (hasFaults(read)) throw new Error(`the record has faults: ${JSON.stringify(read.faults)}`);
    start = read.position;
    const { outcome } = read.moment;
    const weights = outcome ? accepted(core.planReview(task.nodes)) : [];
    return { weights, line: line(read.tokens), outcome, headers: read.headers };
}

function line(tokens: string[]): Messages["LineView"] {
    const told = core.study(start, tokens);
    if (isRefusal(told)) throw new Error(`the line is not legal: ${tokens.join(" ")}`);
    return told;
}

function accepted<Answer>(answer: Answer | null): Answer {
    if (answer === null) throw new Error("the core refused a part of the review");
    return answer;
}

async function answer(task: ReviewTask): Promise<ReviewAnswers[keyof ReviewAnswers]> {
    switch (task.kind) {
        case "open":
            return open(task);
        case "unit":
            return accepted(core.reviewUnit(task.unit));
        case "assemble":
            return accepted(core.assembleReview(task.findings));
        case "retry":
            return accepted(core.retry(task.index, task.token));
        case "line":
            return line(task.tokens);
    }
}

addEventListener("message", ({ data }: MessageEvent<ReviewTask>) => {
    answer(data).then((found) => postMessage(found), failWorker);
});
