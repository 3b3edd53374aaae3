/** Groups the effects of a turn into numbered steps, such as "1 jump, 2 Deer Rock moves a shaman, 3 build". */
import type { Effect } from "./effects";
import type { Shape } from "./shapes";

/** A megalith that was activated, and where it stood. */
export interface Cause {
    readonly code: string;
    readonly space: string;
}

/** One step of a turn: an effect, and the effects that come with it. */
export interface TurnStep {
    /** Counted from 1. */
    readonly number: number;
    /** The effect that the step is about. */
    readonly main: Effect;
    readonly effects: readonly Effect[];
    /** The index of the first of these effects in the turn. */
    readonly start: number;
    /** The activated megalith, if a power caused the step. */
    readonly cause: Cause | null;
}

type Draft = { -readonly [Key in keyof TurnStep]: TurnStep[Key] } & { effects: Effect[] };

/** The steps of a turn. Later effects only extend the last step or add new steps, so a step's number never changes. */
export function stepsOfTurn(effects: readonly Effect[]): TurnStep[] {
    const steps: Draft[] = [];
    let active: Cause | null = null;
    effects.forEach((effect, start) => {
        if (effect.kind === "activated") active = effect;
        const last = steps.at(-1);
        if (last && belongsTo(last, effect)) {
            last.effects.push(effect);
            if (completes(last.main, effect)) last.main = effect;
        } else if (effect.kind !== "passed") {
            const cause = effect.kind === "activated" || isByPower(effect) ? active : null;
            steps.push({ number: steps.length + 1, main: effect, effects: [effect], start, cause });
        }
    });
    return steps;
}

/** Whether a power caused the effect. */
function isByPower(effect: Effect): boolean {
    return effect.kind === "stopped" || effect.kind === "copied" || Boolean("power" in effect && effect.power);
}

/** Whether an effect belongs to the current step instead of starting a new one. */
function belongsTo({ main }: TurnStep, effect: Effect): boolean {
    switch (effect.kind) {
        case "drawn":
        case "passed":
        case "ended":
            return true;
        case "flipped":
            return !effect.power || completes(main, effect);
        case "banished":
            return main.kind === "transformed" || completes(main, effect);
        default:
            return completes(main, effect);
    }
}

/**
 * Whether an effect completes a step: an activated power takes effect, or a shaman is added on the space from which
 * another has just been banished.
 */
function completes(main: Effect, effect: Effect): boolean {
    if (main.kind === "activated") return main.result !== "nothing" && isByPower(effect);
    if (main.kind === "copied") return isByPower(effect);
    return main.kind === "banished" && !main.power && effect.kind === "added" && effect.space === main.space;
}

/** Numbers, arrows, crosses and lines of three for the steps. If `current` is a step's number, the shapes of all other steps are faint. */
export function turnShapes(steps: readonly TurnStep[], current: number | null = null): Shape[] {
    const ways = new Set(steps.flatMap(({ main }) => path(main).arrows.map(({ from, to }) => `${from} ${to}`)));
    return steps.flatMap((step) => {
        const faint = current !== null && current !== step.number;
        const { arrows, band, place, origin } = path(step.main);
        const at = place ?? step.cause?.space;
        const from = step.cause?.space;
        const link = origin ?? place;
        const banished = step.effects.filter((effect) => effect.kind === "banished");
        return [
            ...(band ? [{ ...band, faint }] : []),
            ...(from && link && link !== from ? [{ kind: "link", from, to: link, faint } as const] : []),
            ...arrows.map((arrow) => ({ ...arrow, bent: ways.has(`${arrow.to} ${arrow.from}`), faint })),
            ...banished.map(({ space }) => ({ kind: "cross", at: space, faint }) as const),
            ...(at ? [{ kind: "number", at, text: step.number, faint } as const] : []),
        ];
    });
}

interface Path {
    readonly arrows: readonly Extract<Shape, { kind: "arrow" }>[];
    /** The line of three of a transformation. */
    readonly band?: Extract<Shape, { kind: "band" }>;
    /** Where the step's number is drawn. */
    readonly place?: string;
    /** Where a power took effect, if that is elsewhere. */
    readonly origin?: string;
}

function path(effect: Effect): Path {
    switch (effect.kind) {
        case "moved":
        case "megalith-moved": {
            const { origin, target } = effect;
            const over = effect.kind === "moved" && effect.over ? effect.over : undefined;
            return { arrows: [{ kind: "arrow", from: origin, to: target, over }], place: target, origin };
        }
        case "left": {
            const { origin, over, tribe } = effect;
            const to = `out:${effect.direction ?? (tribe === "forest" ? "n" : "s")}`;
            return { arrows: [{ kind: "arrow", from: origin, to, over: over ?? undefined }], place: origin };
        }
        case "shamans-swapped":
        case "megaliths-swapped": {
            const { first, second } = effect;
            const there = { kind: "arrow", from: first, to: second } as const;
            return { arrows: [there, { ...there, from: second, to: first }], place: second };
        }
        case "added":
            return {
                arrows: [{ kind: "arrow", from: `village:${effect.tribe}`, to: effect.space }],
                place: effect.space,
            };
        case "transformed": {
            const { start, end, space } = effect;
            return { arrows: [], band: { kind: "band", from: start, to: end }, place: space };
        }
        case "banished":
        case "built":
        case "replaced":
        case "nothing-built":
        case "activated":
            return { arrows: [], place: effect.space };
        default:
            return { arrows: [] };
    }
}
