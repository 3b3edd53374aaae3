/** How an exercise shows a line of play as a game. */
import { ApiProblem, type GameView, type Line, type TribeName } from "../../lib/client";

/** A line as a game of the exercise. If `open` is false, nothing can be picked. */
export function viewOf(
    id: string,
    plays: TribeName,
    revision: number,
    { start, steps, now }: Line,
    open: boolean,
): GameView {
    const person = { kind: "person", level: null, name: null } as const;
    const computer = { kind: "computer", level: 1, name: null } as const;
    const isForest = plays === "forest";
    return {
        id,
        kind: "local",
        rated: false,
        created: "",
        changed: "",
        variant: null,
        you: [],
        seats: { forest: isForest ? person : computer, sea: isForest ? computer : person },
        revision,
        start,
        steps,
        now: open ? now : { ...now, choices: [] },
    };
}

export function asProblem(problem: unknown): ApiProblem {
    return problem instanceof ApiProblem ? problem : new ApiProblem("unexpected", String(problem));
}
