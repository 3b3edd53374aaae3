/** Finds the ways to build and score in one turn. The core plays every token; this file contains no game rules. */
import { hasFaults, type Core, type Effect, type Moment } from "./core.ts";

/** A way to build and score a point in one turn. */
export interface Build {
    /** A shaman leaves the field, or an enemy is banished by a transformation. */
    kind: "exit" | "transformation";
    /** Where the megalith would be built: the space that the shaman leaves, or the space of the banished enemy. */
    space: string;
    /** The tokens that lead there, from the start of the turn. */
    tokens: string[];
    effects: Effect[];
}

/** The maximum number of tokens to try. Long chains of powers may be cut off, but short ways are found first. */
const MOST_TOKENS = 4_000;

/**
 * The ways in which the tribe to move could score this turn, shortest first, at most one for each kind and space.
 * Decisions by the other tribe and draws are not explored. Returns `null` if the position is not the start of a turn.
 */
export function findBuilds(core: Core, position: string): Build[] | null {
    const start = core.start(position);
    if (hasFaults(start)) return null;
    const tribe = start.active;
    const found = new Map<string, Build>();
    const waiting: Omit<Build, "kind" | "space">[] = [{ tokens: [], effects: [] }];
    let tried = 0;
    for (const { tokens, effects } of waiting) {
        core.start(position);
        let now: Moment = start;
        for (const token of tokens) {
            const played = core.play(token);
            if (!hasFaults(played)) now = played.moment;
        }
        for (const { token } of now.choices) {
            if (++tried > MOST_TOKENS) return [...found.values()];
            const played = core.play(token);
            if (hasFaults(played)) continue;
            const way = { tokens: [...tokens, token], effects: [...effects, ...played.effects] };
            const built = buildIn(played.effects, played.moment, tribe);
            const key = built && `${built.kind} ${built.space}`;
            if (built && key && !found.has(key)) found.set(key, { ...built, ...way });
            if (!built && decidesAgain(played.moment, tribe)) waiting.push(way);
            core.undo();
        }
    }
    return [...found.values()];
}

/** Whether the tribe has another decision in the same turn. */
function decidesAgain({ phase, decider, active }: Moment, tribe: string): boolean {
    return decider === tribe && active === tribe && (phase === "power" || phase === "transform");
}

/** The build that a token led to, if it scores a point for the tribe. */
function buildIn(effects: readonly Effect[], now: Moment, tribe: string): Pick<Build, "kind" | "space"> | null {
    const chooses = now.phase === "build" && now.decider === tribe;
    if (!chooses && !effects.some((each) => each.kind === "built" && each.tribe === tribe && each.score !== null)) {
        return null;
    }
    const exit = effects.findLast(({ kind, tribe: by }) => kind === "left" && by === tribe);
    if (exit) return { kind: "exit", space: String(exit.origin) };
    const transformed = effects.findLast(({ kind }) => kind === "transformed");
    return transformed ? { kind: "transformation", space: String(transformed.space) } : null;
}
