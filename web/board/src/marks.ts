/** The marks on the board. Each meaning has its own shape, drawn on the 100 × 100 grid of a space. */
import type { Effect } from "./effects";
import { centre, HEIGHT, type Point } from "./layout";
import { isSpace, type Space, type Table, type Tribe } from "./position";

/** What a pick means when a shaman stands on a megalith. */
export type Aim = "shaman" | "megalith";

/** The shape of a target: a dot on an empty space, a ring around a shaman, corners around a megalith. */
export type TargetShape = "dot" | "ring" | "corners";

export function targetShape(table: Table, space: Space, aim: Aim): TargetShape {
    const [shaman, megalith] = [table.shamans[space], table.megaliths[space]];
    if (shaman && !(megalith && aim === "megalith")) return "ring";
    return megalith ? "corners" : "dot";
}

/** An outline around the whole space, slightly beyond its edge. */
export const EDGE = "M16 -2H84Q102 -2 102 16V84Q102 102 84 102H16Q-2 102 -2 84V16Q-2 -2 16 -2Z";
export const CROSS = "M76 8L92 24M92 8L76 24";
export const CORNERS = "M4 26V15Q4 4 15 4H26ZM74 4H85Q96 4 96 15V26ZM96 74V85Q96 96 85 96H74ZM26 96H15Q4 96 4 85V74Z";

/** A move of a piece. If `target` is `null`, the piece left the field. */
export interface Move {
    readonly origin: Space;
    readonly target: Space | null;
    readonly tribe: Tribe | null;
}

/** The marks of the last turn. */
export interface Traces {
    /** Spaces that a piece left and that no piece has reached since. */
    readonly left: readonly Space[];
    /** Spaces where a piece arrived or was built and still stands. */
    readonly reached: readonly Space[];
    /** Spaces where a shaman was banished, even if another piece arrived there afterwards. */
    readonly banished: readonly Space[];
    readonly moves: readonly Move[];
}

export function tracesOf(effects: readonly Effect[]): Traces {
    const left = new Set<Space>();
    const reached = new Set<Space>();
    const banished = new Set<Space>();
    const moves: Move[] = [];
    const reach = (...spaces: string[]) =>
        spaces.filter(isSpace).forEach((space) => {
            left.delete(space);
            reached.add(space);
        });
    const leave = (space: string) => {
        if (!isSpace(space)) return;
        reached.delete(space);
        left.add(space);
    };
    const go = (origin: string, target: string | null, tribe: Tribe | null) => {
        if (isSpace(origin)) moves.push({ origin, target: target !== null && isSpace(target) ? target : null, tribe });
    };
    for (const effect of effects) {
        switch (effect.kind) {
            case "added":
            case "replaced":
                reach(effect.space);
                break;
            case "built":
                if (effect.code !== null) reach(effect.space);
                break;
            case "moved":
            case "megalith-moved":
                leave(effect.origin);
                reach(effect.target);
                go(effect.origin, effect.target, null);
                break;
            case "left":
                leave(effect.origin);
                go(effect.origin, null, effect.tribe);
                break;
            case "shamans-swapped":
            case "megaliths-swapped":
                reach(effect.first, effect.second);
                go(effect.first, effect.second, null);
                break;
            case "banished":
                leave(effect.space);
                if (isSpace(effect.space)) banished.add(effect.space);
                break;
        }
    }
    return { left: [...left], reached: [...reached], banished: [...banished], moves };
}

/** The arrow for a move: a small arrowhead between neighbours, a longer arrow otherwise. */
export function arrowPath(move: Move, orientation: Tribe): string {
    const start = centre(move.origin, orientation);
    const end = move.target
        ? centre(move.target, orientation)
        : { x: start.x, y: move.tribe === orientation ? 40 : HEIGHT - 40 };
    const length = Math.hypot(end.x - start.x, end.y - start.y) || 1;
    const along = (reach: number): Point => ({
        x: start.x + ((end.x - start.x) / length) * reach,
        y: start.y + ((end.y - start.y) / length) * reach,
    });
    const [from, to] = length < 110 ? [length / 2 + 4, length / 2 + 4] : [46, length - (move.target ? 52 : 20)];
    const tip = along(to);
    const angle = Math.atan2(end.y - start.y, end.x - start.x);
    const barb = (turn: number) =>
        text({ x: tip.x + 12 * Math.cos(angle + turn), y: tip.y + 12 * Math.sin(angle + turn) });
    const line = to > from ? `M${text(along(from))}L${text(tip)}` : "";
    return `${line}M${barb(-2.48)}L${text(tip)}L${barb(2.48)}`;
}

function text({ x, y }: Point): string {
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
}
