/** Runs the core, which contains the rules, in a worker on this device. */
import { hasFaults, isRefusal, type Faults, type Refused } from "../../../core/core";
import { GameClient } from "../../../core/gameClient";
import { loadModule } from "../../../core/module";
import { MissingFile } from "../../../core/workerError";
import { ApiProblem, type FaultView } from "../client";

/** A client for a worker with its own core, and the module for starting searches. */
export interface DeviceCore {
    client: GameClient;
    module: WebAssembly.Module;
}

/** Start a core. Close its client when it is no longer needed. */
export async function startCore(): Promise<DeviceCore> {
    const module = await loadModule().catch(throwProblem);
    return { client: new GameClient(module), module };
}

/** A new core to replace one that has failed. */
export function restartCore({ module }: DeviceCore): DeviceCore {
    return { client: new GameClient(module), module };
}

/** Run a function with a new core, and close the core afterwards. */
export async function withCore<Result>(run: (client: GameClient) => Promise<Result>): Promise<Result> {
    const { client } = await startCore();
    try {
        return await run(client).catch(throwProblem);
    } finally {
        client.close();
    }
}

/** A core that several callers share. It is started when it is first used, and replaced after it has failed. */
export class SharedCore {
    /** The current core; `null` before the first use and after `close`. */
    #starting: Promise<DeviceCore> | null = null;
    #closed = false;

    /** Run a function with the core. Rejects with `core-missing` if one of the core's files cannot be loaded. */
    async use<Result>(run: (core: DeviceCore) => Promise<Result>): Promise<Result> {
        try {
            return await run(await this.#open());
        } catch (error) {
            throw problemOf(error);
        }
    }

    /** Stop the core. Pending and later calls are rejected, so that nothing starts a core for a page that was left. */
    close(): void {
        this.#closed = true;
        this.#starting?.then(
            ({ client }) => client.close(),
            () => undefined,
        );
        this.#starting = null;
    }

    async #open(): Promise<DeviceCore> {
        if (this.#closed) throw new Error("the core is closed");
        const starting = (this.#starting ??= startCore());
        const core = await starting.catch((error: unknown) => {
            this.#forget(starting);
            throw error;
        });
        // A worker whose script cannot be loaded fails only after it has been started.
        if (!core.client.isClosed) return core;
        this.#forget(starting);
        return this.#open();
    }

    /** Forget a core that has failed, unless another caller has already replaced it. */
    #forget(failed: Promise<DeviceCore>): void {
        if (this.#starting === failed) this.#starting = null;
    }
}

/** Return the core's answer. A refusal, or faults, are thrown as the problem that a server would report. */
export function accepted<Answer extends object>(answer: Answer | Refused | Faults | null): Answer {
    if (answer === null) throw new ApiProblem("unexpected", "The core cannot play this line.");
    if (hasFaults(answer)) throw new ApiProblem("malformed", "The text has faults.", 422, views(answer));
    if (!isRefusal(answer)) return answer;
    const { kind } = answer.refused;
    const shown = kind === "damaged-log" ? "damaged-device-game" : kind;
    throw new ApiProblem(shown, `The core refused the command: ${kind}.`, 409, views(answer.refused));
}

/** The faults as a server reports them. The pages have their own sentences for faults (lib/faults.ts). */
function views({ faults }: Faults): FaultView[] {
    return faults.map((fault) => ({ ...fault, sentence: "" }));
}

/** The problem that the pages show if one of the core's files is missing. Other errors are returned unchanged. */
export function problemOf(error: unknown): unknown {
    if (!(error instanceof MissingFile)) return error;
    console.info("Could not load the core.", error);
    return new ApiProblem("core-missing", "A file that is needed to play without a server could not be loaded.");
}

function throwProblem(error: unknown): never {
    throw problemOf(error);
}
