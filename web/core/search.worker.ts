/** Runs one search in a worker. `startSearch` starts this worker and receives its reports. */
import { Core, hasFaults, type LineOfPlay, type SearchState } from "./core.ts";

/** What to run: a search with limits (0 means no limit), or a level's decision. */
export type Task =
    { kind: "search"; nodes: number; depth: number; lines: number } | { kind: "level"; level: number; seed: bigint };

export interface SearchRequest {
    module: WebAssembly.Module;
    line: LineOfPlay;
    task: Task;
}

/** `null` if no tribe has to decide or there is no such level. */
export type SearchReply = SearchState | null;

/** How long the search runs before it is asked to pause for messages, in milliseconds. It pauses within about 5 ms. */
const SLICE = 15;

let stopped = false;
let deadline = 0;

const channel = new MessageChannel();

/** Yields to the event loop, so that messages are delivered. Unlike a timer, this adds no delay. */
function nextTask(): Promise<void> {
    return new Promise((resolve) => {
        channel.port1.onmessage = () => resolve();
        channel.port2.postMessage(null);
    });
}

async function search({ module, line, task }: SearchRequest): Promise<void> {
    const core = await Core.load(module, () => performance.now() >= deadline);
    const started = core.start(line.position);
    if (hasFaults(started) || line.tokens.some((token) => hasFaults(core.play(token)))) {
        throw new Error("the line of play is not legal");
    }
    const begun =
        task.kind === "level"
            ? core.beginDecision(task.level, task.seed)
            : core.beginSearch(task.nodes, task.depth, task.lines);
    if (!begun) return postMessage(null satisfies SearchReply);
    let depth = 0;
    for (;;) {
        if (stopped) core.abort();
        deadline = performance.now() + SLICE;
        const state = core.proceed();
        if (state.done || state.depth > depth) postMessage(state satisfies SearchReply);
        if (state.done) return;
        depth = state.depth;
        await nextTask();
    }
}

addEventListener("message", ({ data }: MessageEvent<SearchRequest | "stop">) => {
    if (data === "stop") stopped = true;
    else
        search(data).catch((error: unknown) => {
            // Throw outside the promise, so that the page receives an error event.
            setTimeout(() => {
                throw error;
            });
        });
});
