/** What the core proves about the moments of a puzzle. */
import type { Judgement, Odds, PuzzleMoment } from "../../../core/core";
import { accepted, type SharedCore } from "./core";

export type { Judgement, Odds, PuzzleMoment } from "../../../core/core";

/** Judge every decision at a moment. Rejects with an `ApiProblem` if the core fails or the line cannot be played. */
export function judge(core: SharedCore, moment: PuzzleMoment): Promise<Judgement> {
    return core.use(async ({ client }) => accepted(await client.call("judge", moment)));
}

/** The exact chances at a moment. Rejects with an `ApiProblem` if the core fails or the line cannot be played. */
export function odds(core: SharedCore, moment: PuzzleMoment): Promise<Odds[]> {
    return core.use(async ({ client }) => accepted(await client.call("odds", moment)));
}
