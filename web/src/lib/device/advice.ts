/** Advice from a core on this device: the engine's best line, and the ways to score in one turn. */
import type { Build, LineOfPlay } from "../../../core/localGame";
import { loadNetwork } from "../../../core/network";
import { startSearch } from "../../../core/searchClient";
import type { Line } from "../client";
import { accepted, type DeviceCore } from "./core";

export type { Build } from "../../../core/localGame";

/** The tokens that the engine expects from both tribes; empty if no tribe has to decide. */
export async function bestLine({ module }: DeviceCore, line: LineOfPlay, nodes: number): Promise<readonly string[]> {
    const network = await loadNetwork();
    const found = await startSearch(module, line, { kind: "search", nodes, depth: 0, lines: 1, network }).result;
    return found?.lines[0]?.tokens ?? [];
}

/** Answers questions about positions, independently of any game. */
export interface Advisor {
    /** Plays tokens from a position. */
    study: (position: string, tokens: readonly string[]) => Promise<Line>;
    /** How the tribe to move could score this turn; `null` if the position is not the start of a turn. */
    builds: (position: string) => Promise<Build[] | null>;
}

export function advisorOf({ client }: DeviceCore): Advisor {
    return {
        study: async (position, tokens) => accepted(await client.call("study", position, [...tokens])),
        builds: (position) => client.call("builds", position),
    };
}
