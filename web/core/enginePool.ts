/**
 * Analyses a moment with several workers. The first tokens are dealt out among them, and their lines are merged. When
 * another moment is analysed, or the analysis is stopped, all workers stop within about 20 ms.
 */
import type { Finding, Job, Setup } from "./analysis.worker.ts";
import type { Line, LineOfPlay } from "./core.ts";
import { workerError } from "./workerError.ts";

/** What the workers have found so far. */
export interface Analysis {
    /** Best first. Scores are from the point of view of the decider. */
    lines: Line[];
    /** The depth that all workers have finished. */
    depth: number;
    nodes: number;
    /** Whether all workers have finished. */
    done: boolean;
    /** Whether all scores come from the trained network, and not from the hand-made evaluation. */
    network: boolean;
}

/** How many workers a device gets: one core is left for the page, and a phone gets at most four. */
export function workerCount(cores: number, phone: boolean): number {
    return Math.max(1, Math.min(cores - 1, phone ? 4 : 8));
}

/** Deal out tokens, like cards, so that good and bad ones are mixed. */
export function deal(tokens: readonly string[], hands: number): string[][] {
    const count = Math.max(1, Math.min(hands, tokens.length));
    return Array.from({ length: count }, (_, hand) => tokens.filter((_, index) => index % count === hand));
}

/** Merge what the workers have found about different first tokens. */
export function merge(findings: readonly Omit<Finding, "id">[], lines: number): Analysis {
    const states = findings.map(({ state }) => state);
    const all = states.flatMap((state) => state.lines);
    return {
        lines: all.sort((one, other) => other.score - one.score).slice(0, lines),
        depth: Math.min(...states.map(({ depth }) => depth)),
        nodes: states.reduce((sum, state) => sum + state.nodes, 0),
        done: states.every(({ done }) => done),
        network: findings.every(({ network }) => network),
    };
}

export class EnginePool {
    readonly #setup: Setup;
    readonly #size: number;
    readonly #fail: (error: Error) => void;
    readonly #workers: Worker[] = [];
    #job = 0;

    /** `fail` is called if a worker fails. Then close the pool and start another one. */
    constructor(setup: Setup, size: number, fail: (error: Error) => void) {
        this.#setup = setup;
        this.#size = size;
        this.#fail = fail;
    }

    /**
     * Analyse the end of a line of play, where a tribe has to decide between these tokens. Replaces an earlier analysis.
     * `report` is called whenever a worker has finished a depth, once all workers have found something.
     */
    analyse(line: LineOfPlay, tokens: readonly string[], lines: number, report: (analysis: Analysis) => void): void {
        const id = ++this.#job;
        const hands = deal(tokens, this.#size);
        const findings = hands.map((): Finding | null => null);
        for (const [index, hand] of hands.entries()) {
            const worker = (this.#workers[index] ??= this.#start());
            worker.onmessage = ({ data }: MessageEvent<Finding>) => {
                if (data.id !== this.#job) return;
                findings[index] = data;
                const found = findings.filter((finding) => finding !== null);
                if (found.length === hands.length) report(merge(found, lines));
            };
            const only = hands.length > 1 ? hand : [];
            worker.postMessage({ id, line, lines, only } satisfies Job);
        }
        this.#end(hands.length);
    }

    /** End the analysis. The workers wait for the next one. */
    stop(): void {
        this.#job += 1;
        this.#end(0);
    }

    /** Terminate the workers. */
    close(): void {
        this.#job += 1;
        for (const worker of this.#workers.splice(0)) worker.terminate();
    }

    #end(first: number): void {
        for (const worker of this.#workers.slice(first)) worker.postMessage("none");
    }

    #start(): Worker {
        const worker = new Worker(new URL("./analysis.worker.ts", import.meta.url), { type: "module" });
        worker.addEventListener("error", (event) => this.#fail(workerError(event)));
        worker.postMessage(this.#setup);
        return worker;
    }
}
