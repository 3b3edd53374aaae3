/** The core of this device: the rules, in a worker. */
import { isRefusal, type Refused } from "../../../core/core";
import { GameClient } from "../../../core/gameClient";
import { loadModule } from "../../../core/module";
import { ApiProblem } from "../client";

/** A worker with a core of its own, and the module for searches. */
export interface DeviceCore {
    client: GameClient;
    module: WebAssembly.Module;
}

/** Start a core. Close its client when it is no longer needed. */
export async function startCore(): Promise<DeviceCore> {
    let module: WebAssembly.Module;
    try {
        module = await loadModule();
    } catch (error) {
        console.info("The core could not be loaded.", error);
        throw new ApiProblem("core-missing", "A file that is needed to play without a server could not be loaded.");
    }
    return { client: new GameClient(module), module };
}

/** Run something with a core of its own. */
export async function withCore<Result>(run: (client: GameClient) => Promise<Result>): Promise<Result> {
    const { client } = await startCore();
    try {
        return await run(client);
    } finally {
        client.close();
    }
}

/** The answer of the core. A refusal is thrown as the problem that a server would answer with. */
export function accepted<Answer extends object>(answer: Answer | Refused): Answer {
    if (!isRefusal(answer)) return answer;
    const { kind, faults } = answer.refused;
    const shown = kind === "damaged-log" ? "damaged-device-game" : kind;
    // The pages have their own sentences about faults.
    const views = faults.map((fault) => ({ ...fault, sentence: "" }));
    throw new ApiProblem(shown, `The core refuses: ${kind}.`, 409, views);
}
