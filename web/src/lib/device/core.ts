/** Runs the core, which contains the rules, in a worker on this device. */
import { isRefusal, type Refused } from "../../../core/core";
import { GameClient } from "../../../core/gameClient";
import { loadModule } from "../../../core/module";
import { MissingFile } from "../../../core/workerError";
import { ApiProblem } from "../client";

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

/** Return the core's answer. A refusal is thrown as the problem that a server would report. */
export function accepted<Answer extends object>(answer: Answer | Refused): Answer {
    if (!isRefusal(answer)) return answer;
    const { kind, faults } = answer.refused;
    const shown = kind === "damaged-log" ? "damaged-device-game" : kind;
    // The pages have their own sentences for faults (lib/faults.ts).
    const views = faults.map((fault) => ({ ...fault, sentence: "" }));
    throw new ApiProblem(shown, `The core refused the command: ${kind}.`, 409, views);
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
