/**
 * The engine for a page: analyses one moment at a time, in workers on this device. If the browser cannot run them, the
 * server analyses the moment, for a shorter time.
 */
import type { LineOfPlay } from "../../../core/core";
import { EnginePool, workerCount, type Analysis } from "../../../core/enginePool";
import { loadModule } from "../../../core/module";
import { loadNetwork } from "../../../core/network";
import { analyseOnServer } from "../../lib/analysisServer";
import { ApiProblem } from "../../lib/client";
import { problemOf } from "../../lib/device/core";
import { hasServer } from "../../lib/host";
import { reportProblem } from "../../lib/problems";

export type { Analysis } from "../../../core/enginePool";

/** Screens narrower than this are treated as phones. */
const PHONE = "(max-width: 40rem)";

interface Request {
    readonly line: LineOfPlay;
    readonly tokens: readonly string[];
    readonly lines: number;
}

export class Engine {
    /** What the engine has found about the current moment; `null` until it has found something. */
    analysis = $state.raw<Analysis | null>(null);
    /** Whether the server analyses, because this browser cannot run the engine. */
    isRemote = $state(false);
    /** Whether the server refuses to help, because the moment is in a running online game of this player. */
    isRefused = $state(false);
    #pool: EnginePool | null = null;
    #starting: Promise<EnginePool> | null = null;
    /** The moment to analyse. An earlier request that still waits for the workers or the server is dropped. */
    #request: Request | null = null;

    /** Analyse the end of a line of play, where a tribe has to decide between these tokens. */
    async analyse(line: LineOfPlay, tokens: readonly string[], lines: number): Promise<void> {
        this.#request = { line, tokens, lines };
        this.analysis = null;
        this.isRefused = false;
        await this.#run(this.#request);
    }

    /** End the analysis and forget what was found. */
    stop(): void {
        this.#request = null;
        this.analysis = null;
        this.isRefused = false;
        this.#pool?.stop();
    }

    close(): void {
        this.stop();
        this.#closeWorkers();
    }

    async #run(request: Request): Promise<void> {
        if (this.isRemote) return this.#ask(request).catch((problem: unknown) => this.#report(problem, request));
        try {
            const pool = this.#pool ?? (await (this.#starting ??= this.#start()));
            if (request !== this.#request) return;
            pool.analyse(request.line, request.tokens, request.lines, (found) => (this.analysis = found));
        } catch (problem) {
            this.#fail(problem);
        }
    }

    /** Let the server analyse from now on. If there is none, report the problem. */
    #fail(problem: unknown): void {
        this.#closeWorkers();
        if (!hasServer) return this.#report(problem, this.#request);
        if (this.isRemote) return; // an earlier request has failed in the same way
        console.info("The engine cannot run in this browser.", problem);
        this.isRemote = true;
        if (this.#request) void this.#run(this.#request);
    }

    /** Report a failure, unless its request has been dropped, for instance because the visitor has left the page. */
    #report(problem: unknown, request: Request | null): void {
        if (request && request === this.#request) reportProblem(problemOf(problem));
    }

    /** Ask the server. If it is busy, ask again after the time that it names. */
    async #ask(request: Request): Promise<void> {
        const { line, lines } = request;
        while (request === this.#request) {
            try {
                const found = await analyseOnServer(line.position, line.tokens, lines);
                if (request === this.#request) this.analysis = { ...found, done: true, network: true };
                return;
            } catch (problem) {
                const kind = problem instanceof ApiProblem ? problem.kind : "";
                if (kind === "running-game") {
                    this.isRefused = request === this.#request;
                    return;
                }
                if (!(problem instanceof ApiProblem) || kind !== "too-many") throw problem;
                await new Promise((resolve) => setTimeout(resolve, 1_000 * Math.max(1, problem.seconds)));
            }
        }
    }

    #closeWorkers(): void {
        this.#pool?.close();
        this.#pool = null;
        this.#starting = null;
    }

    async #start(): Promise<EnginePool> {
        const [module, network] = await Promise.all([loadModule(), loadNetwork()]);
        const size = workerCount(navigator.hardwareConcurrency || 2, window.matchMedia(PHONE).matches);
        const pool = new EnginePool({ module, network }, size, (error) => this.#fail(error));
        this.#pool = pool;
        return pool;
    }
}
