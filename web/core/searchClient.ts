/** Lets a page search a game. Each search runs in its own worker. */
import type { LineOfPlay, SearchState } from "./core.ts";
import type { SearchReply, SearchRequest, Task } from "./search.worker.ts";
import { workerError } from "./workerError.ts";

export interface Search {
    /** The final state; `null` if no tribe has to decide or there is no such level. Rejects if the worker fails. */
    result: Promise<SearchState | null>;
    /** Ends the search within about 20 ms; `result` then resolves to the best lines found so far. */
    stop(): void;
}

/** Starts a search and calls `report` after every finished depth. */
export function startSearch(
    module: WebAssembly.Module,
    line: LineOfPlay,
    task: Task,
    report: (state: SearchState) => void = () => undefined,
): Search {
    const worker = new Worker(new URL("./search.worker.ts", import.meta.url), { type: "module" });
    const result = new Promise<SearchState | null>((resolve, reject) => {
        worker.addEventListener("message", ({ data }: MessageEvent<SearchReply>) => {
            if (data && !data.done) return report(data);
            worker.terminate();
            resolve(data);
        });
        worker.addEventListener("error", (event) => {
            worker.terminate();
            reject(workerError(event));
        });
    });
    worker.postMessage({ module, line, task } satisfies SearchRequest);
    return { result, stop: () => worker.postMessage("stop") };
}
