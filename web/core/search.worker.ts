/** Runs one search in a worker. `startSearch` starts this worker and receives its reports. */
import type { LineOfPlay, SearchState } from "./core.ts";
import { loadSliced, runSearch, startLine } from "./slices.ts";
import { failWorker } from "./workerError.ts";

/**
 * What to run: a search with limits (0 means no limit), or a level's decision. A search uses the network if it gets the
 * weights.
 */
export type Task =
    | { kind: "search"; nodes: number; depth: number; lines: number; network?: Uint8Array | null }
    | { kind: "level"; level: number; seed: bigint };

export interface SearchRequest {
    module: WebAssembly.Module;
    line: LineOfPlay;
    task: Task;
}

/** `null` if no tribe has to decide or there is no such level. */
export type SearchReply = SearchState | null;

let stopped = false;

async function search({ module, line, task }: SearchRequest): Promise<void> {
    const core = await loadSliced(module);
    startLine(core, line);
    if (task.kind === "search" && task.network && !core.loadNetwork(task.network))
        console.info("The file of the network does not contain weights.");
    const begun =
        task.kind === "level"
            ? core.beginDecision(task.level, task.seed)
            : core.beginSearch(task.nodes, task.depth, task.lines);
    if (!begun) return postMessage(null satisfies SearchReply);
    await runSearch(
        core,
        () => stopped,
        (state) => postMessage(state satisfies SearchReply),
    );
}

addEventListener("message", ({ data }: MessageEvent<SearchRequest | "stop">) => {
    if (data === "stop") stopped = true;
    else search(data).catch(failWorker);
});
