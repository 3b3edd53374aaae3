/** Lets a page review a game. Several workers share the units; their number does not affect the review. */
import type { Messages, Retry, Review } from "./core.ts";
import type { OpenedGame, ReviewAnswers, ReviewTask } from "./review.worker.ts";
import { workerError } from "./workerError.ts";

/** The maximum number of workers. More would use too much memory on a phone, and a game has few units. */
const MOST_WORKERS = 4;

/** One worker. It does one task at a time, in order. */
class ReviewWorker {
    readonly #worker = new Worker(new URL("./review.worker.ts", import.meta.url), { type: "module" });
    #last: Promise<unknown> = Promise.resolve();
    #fail: (error: Error) => void = () => undefined;

    constructor() {
        this.#worker.addEventListener("error", (event) => this.#fail(workerError(event)));
    }

    ask<Kind extends ReviewTask["kind"]>(task: Extract<ReviewTask, { kind: Kind }>): Promise<ReviewAnswers[Kind]> {
        const asked = this.#last.then(
            () =>
                new Promise<ReviewAnswers[Kind]>((resolve, reject) => {
                    this.#fail = reject;
                    this.#worker.onmessage = ({ data }: MessageEvent<ReviewAnswers[Kind]>) => resolve(data);
                    this.#worker.postMessage(task);
                }),
        );
        this.#last = asked.catch(() => undefined);
        return asked;
    }

    close(): void {
        this.#worker.terminate();
        this.#fail(new Error("the review was cancelled"));
    }
}

/** The review of one game. Close it to stop its workers. */
export class GameReview {
    readonly #workers: ReviewWorker[];
    readonly #module: WebAssembly.Module;
    readonly #record: string;
    readonly #nodes: number;

    /** If `nodes` is 0, the review uses the default number of nodes. */
    constructor(module: WebAssembly.Module, record: string, nodes = 0, workers = usualWorkers()) {
        this.#module = module;
        this.#record = record;
        this.#nodes = nodes;
        this.#workers = Array.from({ length: workers }, () => new ReviewWorker());
    }

    /** The game in the record. Call this first. */
    async open(): Promise<OpenedGame> {
        const task = { kind: "open" as const, module: this.#module, record: this.#record, nodes: this.#nodes };
        const opened = await Promise.all(this.#workers.map((worker) => worker.ask<"open">(task)));
        return opened[0] ?? Promise.reject(new Error("a review needs a worker"));
    }

    /** Search all units. `report` receives the finished share, from 0 to 1. `restore` turns the findings into a review. */
    async run({ weights }: OpenedGame, report: (share: number) => void): Promise<string[]> {
        const total = weights.reduce((sum, weight) => sum + weight, 0);
        const findings: string[] = [];
        let next = 0;
        let done = 0;
        const work = async (worker: ReviewWorker): Promise<void> => {
            while (next < weights.length) {
                const unit = next++;
                findings[unit] = await worker.ask<"unit">({ kind: "unit", unit });
                done += weights[unit] ?? 0;
                report(done / total);
            }
        };
        await Promise.all(this.#workers.map(work));
        return findings;
    }

    /** Put the findings of all units together. After this, one worker remains. Rejects if they do not fit the game. */
    restore(findings: readonly string[]): Promise<Review> {
        for (const worker of this.#workers.splice(1)) worker.close();
        return this.#first.ask<"assemble">({ kind: "assemble", findings: [...findings] });
    }

    /** Judge a token as a replacement for the token at `index`. */
    retry(index: number, token: string): Promise<Retry> {
        return this.#first.ask<"retry">({ kind: "retry", index, token });
    }

    /** Play tokens from the start of the game. */
    line(tokens: readonly string[]): Promise<Messages["LineView"]> {
        return this.#first.ask<"line">({ kind: "line", tokens: [...tokens] });
    }

    close(): void {
        for (const worker of this.#workers) worker.close();
    }

    get #first(): ReviewWorker {
        const [worker] = this.#workers;
        if (!worker) throw new Error("a review needs a worker");
        return worker;
    }
}

/** One core stays free for the page. */
function usualWorkers(): number {
    return Math.min(MOST_WORKERS, Math.max(1, navigator.hardwareConcurrency - 1));
}
