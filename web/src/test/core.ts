/** The real core, for tests that need the rules. `make wasm` and `make pages` build it. */
import { existsSync, readFileSync } from "node:fs";

import { findBuilds } from "../../core/builds";
import { Core, isRefusal, type Judgement, type PuzzleMoment } from "../../core/core";
import { ApiProblem, type Line } from "../lib/client";
import type { Advisor } from "../lib/device/advice";

const WASM = "core/cairn.wasm";

export const hasCore = existsSync(WASM);

/** Load a core. Returns a function that plays tokens from a position, and throws if the core refuses them. */
export async function loadStudy(): Promise<(position: string, tokens: readonly string[]) => Line> {
    const core = await Core.load(await WebAssembly.compile(readFileSync(WASM)));
    return (position, tokens) => {
        const line = core.study(position, tokens);
        if (isRefusal(line))
            throw new ApiProblem("illegal", `refused: ${tokens.join(" ")}: ${JSON.stringify(line.refused)}`);
        return line;
    };
}

/** Load a core. Returns a function that judges the decisions at a moment of a puzzle. */
export async function loadJudge(): Promise<(moment: PuzzleMoment) => Judgement> {
    const core = await Core.load(await WebAssembly.compile(readFileSync(WASM)));
    return (moment) => {
        const judged = core.judge(moment);
        if (!judged) throw new Error(`the core cannot play this line: ${moment.tokens.join(" ")}`);
        return judged;
    };
}

/** A core that answers questions about positions. */
export async function loadAdvisor(): Promise<Advisor> {
    const study = await loadStudy();
    const core = await Core.load(await WebAssembly.compile(readFileSync(WASM)));
    return {
        study: async (position, tokens) => study(position, tokens),
        builds: async (position) => findBuilds(core, position),
    };
}
