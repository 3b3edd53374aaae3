/** The server's engine, for browsers that cannot run it. */
import type { components } from "./api";
import { json } from "./client";

/** Analyse the end of a line of play. Rejects with `running-game` if it is in a running online game of the player. */
export function analyseOnServer(
    position: string,
    tokens: readonly string[],
    lines: number,
): Promise<components["schemas"]["AnalysisView"]> {
    return json("POST", "/positions/analysis", { position, tokens, lines });
}
