/** Shapes that a page draws on the board: arrows, links, circles, hatched edges, crosses and numbers. */
import type { Direction } from "./effects";
import { SPACE } from "./generated/geometry";
import { middleOf, pointBeyond, villageTribe, type Point } from "./layout";
import { isSpace, type Tribe } from "./position";

/** The meaning of a shape, shown as its colour. Pages set the colours with `--board-shape-…`. */
export type Tone = "plain" | "good" | "warning" | "danger";

interface AnyShape {
    readonly tone?: Tone | undefined;
    /** Whether to draw the shape faintly, because another shape matters more now. */
    readonly faint?: boolean | undefined;
    /** Whether to draw the shape less prominently, because the player has picked something. */
    readonly past?: boolean | undefined;
}

/**
 * A place is a space, such as `c3`, or a village, such as `village:sea`. An arrow can also lead off the field, for
 * example to `out:ne`, which is north-east: Sea's village is in the north, and column a is in the west.
 */
export type Shape = AnyShape &
    (
        | {
              readonly kind: "arrow";
              readonly from: string;
              readonly to: string;
              /** The space that a jump passes over. The arrow arcs around the piece on that space. */
              readonly over?: string | undefined;
              /** Whether the arrow bends to its left, so that two opposite arrows do not cover each other. */
              readonly bent?: boolean | undefined;
          }
        /** A dotted line from the cause of a change to the place of the change. */
        | { readonly kind: "link"; readonly from: string; readonly to: string }
        /** A band through all spaces from one to the other, such as a line of three. */
        | { readonly kind: "band"; readonly from: string; readonly to: string }
        | { readonly kind: "circle"; readonly at: string }
        /** A hatched edge around a space that is under threat. */
        | { readonly kind: "threat"; readonly at: string }
        /** A cross in a lower corner of a space, where a shaman was banished. */
        | { readonly kind: "cross"; readonly at: string }
        | { readonly kind: "number"; readonly at: string; readonly text: string | number }
    );

/** A shape in board units. */
export type PlacedShape = { readonly tone: Tone; readonly faint: boolean; readonly past: boolean } & (
    | { readonly kind: "arrow"; readonly line: string; readonly head: string }
    | { readonly kind: "link"; readonly line: string; readonly start: Point }
    | { readonly kind: "band"; readonly outline: string }
    | { readonly kind: "circle"; readonly centre: Point }
    | { readonly kind: "threat"; readonly centre: Point }
    | { readonly kind: "cross"; readonly centre: Point }
    | { readonly kind: "number"; readonly centre: Point; readonly text: string }
);

/** The length of an arrowhead, and half its width. */
const HEAD = 25;
const HEAD_SIDE = 14;
/** How far an arrow stops short of the centre of a space: at the edge of the piece there. */
const SHORT = 34;
/** How far a link stays clear of the centres of its two spaces. */
const CLEAR = 22;
/** How far a curve bulges, as a fraction of its length. */
const BULGE = 0.24;
/** The maximum bulge of a jump, which passes over a piece without entering another space. */
const JUMP_BULGE = 0.48 * SPACE;
/** The distance between numbers in the same place. */
const NUMBER_STEP = 28;
/** The distance of numbers from the centre of a space, and from the centre of an arrowhead. */
const NUMBER_OUT = 36;
const NUMBER_CLEAR = 29;
/** The distance of a cross from the centre of a space, and from the centre of an arrowhead. */
const CROSS_OUT = 34;
const CROSS_CLEAR = 26;
/** How the numbers on a space can be arranged, in order of preference: in rows along its edges, or in a column. */
const NUMBER_LAYOUTS: readonly { corner: Point; step: Point }[] = [
    { corner: { x: -1, y: -1 }, step: { x: 1, y: 0 } },
    { corner: { x: 1, y: -1 }, step: { x: -1, y: 0 } },
    { corner: { x: 1, y: -1 }, step: { x: 0, y: 1 } },
    { corner: { x: 1, y: 1 }, step: { x: -1, y: 0 } },
];

/** The drawing order. Small shapes come last, so that a large one never covers them. */
const ORDER: readonly Shape["kind"][] = ["band", "threat", "circle", "link", "arrow", "cross", "number"];

/** Place shapes on the board, in drawing order. Shapes whose place is not on the board are omitted. */
export function placeShapes(shapes: readonly Shape[], orientation: Tribe): PlacedShape[] {
    const numbersAt = new Map<string, number>();
    const heads = headsOf(shapes, orientation);
    const placed = shapes.flatMap((shape): PlacedShape[] => {
        const common = { tone: shape.tone ?? "plain", faint: shape.faint ?? false, past: shape.past ?? false };
        if (shape.kind === "arrow" || shape.kind === "link" || shape.kind === "band") {
            const ends = endsOf(shape.from, shape.to, orientation);
            if (!ends || shape.from === shape.to) return [];
            if (shape.kind === "band") return [{ ...common, kind: "band", outline: band(...ends) }];
            if (shape.kind === "link") return [{ ...common, kind: "link", ...link(...ends) }];
            const bend = bendOf(shape);
            const drawn = arrow(curveOf(...ends, bend), isSpace(shape.to) ? SHORT : 0, bend === null);
            return [{ ...common, kind: "arrow", ...drawn }];
        }
        const middle = middleOf(shape.at, orientation);
        if (!middle) return [];
        if (shape.kind === "cross") return [{ ...common, kind: "cross", centre: crossPlace(middle, heads) }];
        if (shape.kind !== "number") return [{ ...common, kind: shape.kind, centre: middle }];
        const index = numbersAt.get(shape.at) ?? 0;
        numbersAt.set(shape.at, index + 1);
        const count = shapes.filter((each) => each.kind === "number" && each.at === shape.at).length;
        const centre = numberPlaces(middle, count, heads)[index] ?? middle;
        return [{ ...common, kind: "number", centre, text: String(shape.text) }];
    });
    return placed.sort((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind));
}

/** The two ends of a line. A line into or out of a village is vertical. */
function endsOf(from: string, to: string, orientation: Tribe): [Point, Point] | null {
    const start = middleOf(from, orientation);
    const out = to.startsWith("out:") && isSpace(from);
    const end = out ? pointBeyond(from, to.slice(4) as Direction, orientation) : middleOf(to, orientation);
    if (!start || !end) return null;
    if (villageTribe(to)) return [start, { ...end, x: start.x }];
    if (villageTribe(from)) return [{ ...start, x: end.x }, end];
    return [start, end];
}

/** The centres of all arrowheads. */
function headsOf(shapes: readonly Shape[], orientation: Tribe): Point[] {
    return shapes.flatMap((shape) => {
        const ends = shape.kind === "arrow" ? endsOf(shape.from, shape.to, orientation) : null;
        if (shape.kind !== "arrow" || !ends) return [];
        const curve = curveOf(...ends, bendOf(shape));
        return [pointAt(curve, 1 - ((isSpace(shape.to) ? SHORT : 0) + HEAD / 2) * unitOf(curve))];
    });
}

/** The lower left corner of a space, or the lower right one if an arrowhead is in the way. */
function crossPlace({ x, y }: Point, heads: readonly Point[]): Point {
    const [left, right] = [-CROSS_OUT, CROSS_OUT].map((out) => ({ x: x + out, y: y + CROSS_OUT })) as [Point, Point];
    return heads.some((head) => distance(head, left) <= CROSS_CLEAR) ? right : left;
}

/** The places of the numbers on a space, from left to right or downwards. If possible, they cover no arrowhead. */
function numberPlaces(middle: Point, count: number, heads: readonly Point[]): Point[] {
    const layouts = NUMBER_LAYOUTS.map(({ corner, step }) => {
        const places = Array.from({ length: count }, (_, index) => ({
            x: middle.x + corner.x * NUMBER_OUT + step.x * NUMBER_STEP * index,
            y: middle.y + corner.y * NUMBER_OUT + step.y * NUMBER_STEP * index,
        }));
        return step.x < 0 ? places.reverse() : places;
    });
    const isFree = (place: Point) => heads.every((head) => distance(head, place) > NUMBER_CLEAR);
    return layouts.find((places) => places.every(isFree)) ?? layouts[0] ?? [];
}

/** A quadratic curve: start, control point, end. */
type Curve = readonly [Point, Point, Point];

type Bend = "over" | "left" | null;

function bendOf({ over, bent }: Extract<Shape, { kind: "arrow" }>): Bend {
    return over ? "over" : bent ? "left" : null;
}

function curveOf(from: Point, to: Point, bend: Bend): Curve {
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    // A jump's arrow bulges upwards on the screen, as if the piece were lifted. A vertical arrow bulges to the right.
    const side = bend === null ? 0 : bend === "left" ? 1 : dx > 1 ? 1 : dx < -1 ? -1 : dy < 0 ? -1 : 1;
    const share = bend === "over" ? Math.min(BULGE, JUMP_BULGE / (distance(from, to) || 1)) : BULGE;
    const bulge = 2 * share * side;
    return [from, { x: (from.x + to.x) / 2 + dy * bulge, y: (from.y + to.y) / 2 - dx * bulge }, to];
}

function pointAt([start, control, end]: Curve, t: number): Point {
    return between(between(start, control, t), between(control, end, t), t);
}

function between(one: Point, other: Point, t: number): Point {
    return { x: one.x + (other.x - one.x) * t, y: one.y + (other.y - one.y) * t };
}

function distance(one: Point, other: Point): number {
    return Math.hypot(other.x - one.x, other.y - one.y);
}

/** The fraction of a curve that is one board unit long near its end. For a straight line, this is exact. */
function unitOf([, control, to]: Curve): number {
    return 1 / (2 * distance(control, to) || 1);
}

function arrow(curve: Curve, short: number, straight: boolean): { line: string; head: string } {
    const [from, control, to] = curve;
    // The fraction of the curve that is one board unit long near its end. For a straight line, this is exact.
    const unit = 1 / (2 * distance(control, to) || 1);
    const tipAt = 1 - short * unit;
    const tip = pointAt(curve, tipAt);
    const neckAt = tipAt - HEAD * unit;
    const neck = pointAt(curve, neckAt);
    const length = distance(neck, tip) || 1;
    const [ux, uy] = [(tip.x - neck.x) / length, (tip.y - neck.y) / length];
    const barb = (side: number) => ({ x: neck.x - uy * side, y: neck.y + ux * side });
    const bend = straight ? "L" : `Q${text(between(from, control, neckAt))} `;
    return {
        line: `M${text(from)}${bend}${text(neck)}`,
        head: `M${text(tip)}L${text(barb(HEAD_SIDE))}L${text(barb(-HEAD_SIDE))}Z`,
    };
}

function link(from: Point, to: Point): { line: string; start: Point } {
    const share = Math.min(CLEAR / (distance(from, to) || 1), 0.4);
    const start = between(from, to, share);
    return { line: `M${text(start)}L${text(between(from, to, 1 - share))}`, start };
}

/** Half the width of a band. */
const BAND = 46;

/** A strip with round ends. */
function band(from: Point, to: Point): string {
    const length = distance(from, to) || 1;
    const [x, y] = [((to.y - from.y) / length) * BAND, ((from.x - to.x) / length) * BAND];
    const side = (end: Point, sign: number) => text({ x: end.x + sign * x, y: end.y + sign * y });
    const bend = `A${BAND} ${BAND} 0 0 1 `;
    return `M${side(from, 1)}L${side(to, 1)}${bend}${side(to, -1)}L${side(from, -1)}${bend}${side(from, 1)}Z`;
}

function text({ x, y }: Point): string {
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
}
