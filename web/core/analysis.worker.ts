/** Analyses one moment at a time. `EnginePool` starts several of these workers and divides the first tokens among them. */
import type { Core, LineOfPlay, SearchState } from "./core.ts";
import { loadSliced, runSearch, startLine } from "./slices.ts";
import { failWorker } from "./workerError.ts";

/** The core to use, and the weights of the network, if they could be loaded. */
export interface Setup {
    module: WebAssembly.Module;
    network: Uint8Array | null;
}

export interface Job {
    id: number;
    line: LineOfPlay;
    /** How many lines to find. */
    lines: number;
    /** The first tokens to consider; empty for all. */
    only: readonly string[];
}

/** The state of a job after each finished depth. The worker does not reply to a job that has been replaced. */
export interface Finding {
    id: number;
    state: SearchState;
    /** Whether the search uses the network. */
    network: boolean;
}

let core: Promise<Core> | undefined;
let hasNetwork = false;
/** The next job. It replaces the current one; `"none"` only ends it. */
let next: Job | "none" | null = null;
let working = false;

async function load({ module, network }: Setup): Promise<Core> {
    const loaded = await loadSliced(module);
    hasNetwork = network !== null && loaded.loadNetwork(network);
    if (network && !hasNetwork) console.info("The file of the network does not contain weights.");
    return loaded;
}

async function work(): Promise<void> {
    working = true;
    const engine = await core;
    while (engine && next) {
        const job = next;
        next = null;
        if (job !== "none") await run(engine, job);
    }
    working = false;
}

async function run(engine: Core, { id, line, lines, only }: Job): Promise<void> {
    startLine(engine, line);
    if (!engine.beginSearch(0, 0, lines, only)) return;
    const isReplaced = (): boolean => next !== null;
    await runSearch(engine, isReplaced, (state) => {
        if (!isReplaced()) postMessage({ id, state, network: hasNetwork } satisfies Finding);
    });
}

addEventListener("message", ({ data }: MessageEvent<Setup | Job | "none">) => {
    if (data !== "none" && "module" in data) {
        core = load(data);
        return;
    }
    next = data;
    if (!working) work().catch(failWorker);
});
