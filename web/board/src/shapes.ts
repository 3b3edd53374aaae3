/** Shapes that a page draws on the board: arrows, circles and numbers. */
import { middleOf, villageTribe, type Point } from "./layout";
import type { Tribe } from "./position";

/** The meaning of a shape, shown as its colour. Pages set the colours with `--board-shape-…`. */
export type Tone = "plain" | "good" | "warning" | "danger";

/** A place is a space, such as `c3`, or a village, such as `village:sea`. */
export type Shape =
    | { readonly kind: "arrow"; readonly from: string; readonly to: string; readonly tone?: Tone }
    | { readonly kind: "circle"; readonly at: string; readonly tone?: Tone }
    | { readonly kind: "number"; readonly at: string; readonly text: string | number; readonly tone?: Tone };

/** A shape in board units. */
export type PlacedShape = { readonly tone: Tone } & (
    | { readonly kind: "arrow"; readonly line: string; readonly head: string }
    | { readonly kind: "circle"; readonly centre: Point }
    | { readonly kind: "number"; readonly centre: Point; readonly text: string }
);

const HEAD = 26;
/** How far an arrow stops short of the centre of its target. */
const SHORT = 18;
/** The distance between numbers in the same place. */
const NUMBER_STEP = 30;

/** Place shapes on the board. Shapes whose place is not on the board are omitted. */
export function placeShapes(shapes: readonly Shape[], orientation: Tribe): PlacedShape[] {
    const numbersAt = new Map<string, number>();
    return shapes.flatMap((shape): PlacedShape[] => {
        const tone = shape.tone ?? "plain";
        if (shape.kind === "arrow") {
            const from = middleOf(shape.from, orientation);
            const to = middleOf(shape.to, orientation);
            if (!from || !to || shape.from === shape.to) return [];
            // An arrow goes straight into or out of a village.
            if (villageTribe(shape.to)) return [{ kind: "arrow", tone, ...arrow(from, { ...to, x: from.x }) }];
            if (villageTribe(shape.from)) return [{ kind: "arrow", tone, ...arrow({ ...from, x: to.x }, to) }];
            return [{ kind: "arrow", tone, ...arrow(from, to) }];
        }
        const middle = middleOf(shape.at, orientation);
        if (!middle) return [];
        if (shape.kind === "circle") return [{ kind: "circle", tone, centre: middle }];
        const index = numbersAt.get(shape.at) ?? 0;
        numbersAt.set(shape.at, index + 1);
        const centre = { x: middle.x - 36 + NUMBER_STEP * index, y: middle.y - 36 };
        return [{ kind: "number", tone, centre, text: String(shape.text) }];
    });
}

function arrow(from: Point, to: Point): { line: string; head: string } {
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length];
    const at = (along: number, aside = 0) => text(from.x + ux * along - uy * aside, from.y + uy * along + ux * aside);
    const tip = length - SHORT;
    return {
        line: `M${at(SHORT)}L${at(tip - HEAD)}`,
        head: `M${at(tip)}L${at(tip - HEAD, HEAD / 2)}L${at(tip - HEAD, -HEAD / 2)}Z`,
    };
}

function text(x: number, y: number): string {
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
}
