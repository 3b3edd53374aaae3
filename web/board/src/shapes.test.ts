import { render } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";

import Board from "./Board.svelte";
import { SPACE } from "./generated/geometry";
import { centre, type Point } from "./layout";
import { parsePosition, SPACES, type Space } from "./position";
import { placeShapes, type Shape } from "./shapes";

const TABLE = parsePosition("S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F");

/** The points of a path. */
function points(path: string): Point[] {
    return [...path.matchAll(/(-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }));
}

function isBetween(point: Point, one: Space, other: Space): boolean {
    const [a, b] = [centre(one, "forest"), centre(other, "forest")];
    return point.x === (a.x + b.x) / 2 && point.y === (a.y + b.y) / 2;
}

function apart(one: Point, other: Point): number {
    return Math.hypot(one.x - other.x, one.y - other.y);
}

describe("shapes", () => {
    it("are centred on their spaces, in both orientations", () => {
        for (const orientation of ["forest", "sea"] as const) {
            const [circle] = placeShapes([{ kind: "circle", at: "b4" }], orientation);
            expect(circle).toEqual({
                kind: "circle",
                tone: "plain",
                faint: false,
                past: false,
                centre: centre("b4", orientation),
            });
            const [threat] = placeShapes([{ kind: "threat", at: "b4", tone: "danger" }], orientation);
            expect(threat).toEqual({ ...circle, kind: "threat", tone: "danger" });
        }
    });

    it("include a hatched edge around a space under threat", () => {
        const { container } = render(Board, {
            props: { table: TABLE, label: () => "", shapes: [{ kind: "threat", at: "c3" }] },
        });
        expect(container.querySelectorAll("[data-drawn=threat] .hatch")).toHaveLength(1);
    });

    it("draw a band around a line of three, in both orientations", () => {
        for (const orientation of ["forest", "sea"] as const) {
            const [band] = placeShapes([{ kind: "band", from: "b3", to: "d3" }], orientation);
            const outline = band?.kind === "band" ? band.outline : "";
            const numbers = [...outline.matchAll(/[ML]([\d.]+) ([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
            const middle = centre("c3", orientation);
            expect(numbers).toHaveLength(3);
            for (const [x = 0, y = 0] of numbers) {
                expect(Math.abs(x - middle.x)).toBeCloseTo(100);
                expect(Math.abs(y - middle.y)).toBeCloseTo(46);
            }
        }
    });

    it("draw arrows straight into and out of villages", () => {
        const lines = placeShapes(
            [
                { kind: "arrow", from: "e5", to: "village:sea" },
                { kind: "arrow", from: "village:forest", to: "d1" },
            ],
            "forest",
        ).map((shape) => (shape.kind === "arrow" ? shape.line : ""));
        for (const line of lines) {
            const [from, to] = line.slice(1).split("L");
            expect(from?.split(" ")[0]).toBe(to?.split(" ")[0]);
        }
    });

    it("are omitted if their place is not on the board, or if they are arrows that end where they start", () => {
        const shapes: Shape[] = [
            { kind: "arrow", from: "a1", to: "z9" },
            { kind: "arrow", from: "a1", to: "a1" },
            { kind: "circle", at: "tile:jump" },
            { kind: "number", at: "deck", text: 1 },
        ];
        expect(placeShapes(shapes, "forest")).toEqual([]);
    });

    it("show several numbers on one space side by side", () => {
        const places = placeShapes(
            [1, 2, 3].map((text) => ({ kind: "number", at: "c3", text })),
            "forest",
        ).map((shape) => (shape.kind === "number" ? shape.centre.x : 0));
        expect(new Set(places).size).toBe(3);
    });

    it("show numbers in reading order, wherever they are placed", () => {
        for (const from of ["b4", "c4", "d4", "b3", "d3"]) {
            const shapes = [1, 2, 3].map((text): Shape => ({ kind: "number", at: "c3", text }));
            const placed = placeShapes([{ kind: "arrow", from, to: "c3" }, ...shapes], "forest");
            const numbers = placed.flatMap((shape) => (shape.kind === "number" ? [shape.centre] : []));
            const inOrder = numbers.slice(1).every(({ x, y }, index) => {
                const before = numbers[index];
                return before && (x > before.x || y > before.y);
            });
            expect(inOrder, from).toBe(true);
        }
    });

    it.each(["forest", "sea"] as const)("keep numbers clear of arrowheads, with %s at the bottom", (orientation) => {
        const around = ["b2", "b3", "b4", "c2", "c4", "d2", "d3", "d4"];
        const jumps = ["a1", "a3", "a5", "c1", "c5", "e1", "e3", "e5"];
        for (const [index, step] of around.entries()) {
            for (const from of [step, jumps[index] as string]) {
                const shapes: Shape[] = [{ kind: "arrow", from, to: "c3", over: from === step ? undefined : step }];
                for (const text of [1, 2, 3]) {
                    shapes.push({ kind: "number", at: "c3", text });
                    const [arrow, ...numbers] = placeShapes(shapes, orientation);
                    const [tip, left, right] = arrow?.kind === "arrow" ? points(arrow.head) : [];
                    if (!tip || !left || !right) throw new Error("expected an arrowhead");
                    const middle = { x: (tip.x + left.x + right.x) / 3, y: (tip.y + left.y + right.y) / 3 };
                    for (const number of numbers)
                        for (const point of [tip, left, right, middle])
                            if (number.kind === "number")
                                expect(apart(number.centre, point), `${from} ${text}`).toBeGreaterThan(13.5);
                }
            }
        }
    });

    it.each(["a5", "a1", "e1", "a3", "c5"] as const)(
        "draw a jump from %s within the space that it passes over",
        (from) => {
            const over = SPACES.find((space) => isBetween(centre(space, "forest"), from, "c3"));
            const [arrow] = placeShapes([{ kind: "arrow", from, to: "c3", over }], "forest");
            const [start, control, end] = arrow?.kind === "arrow" ? points(arrow.line) : [];
            if (!start || !control || !end) throw new Error("expected a curve");
            const [a, c] = [centre(from, "forest"), centre("c3", "forest")];
            const offsets = Array.from({ length: 21 }, (_, index) => {
                const t = index / 20;
                const at = (axis: "x" | "y") =>
                    (1 - t) ** 2 * start[axis] + 2 * t * (1 - t) * control[axis] + t ** 2 * end[axis];
                return Math.abs((c.x - a.x) * (at("y") - a.y) - (c.y - a.y) * (at("x") - a.x)) / apart(a, c);
            });
            expect(Math.max(...offsets)).toBeGreaterThan(0.4 * SPACE);
            expect(Math.max(...offsets)).toBeLessThan(0.5 * SPACE);
        },
    );

    it("move a cross to the other lower corner if an arrowhead is in the way", () => {
        const middle = centre("c3", "forest");
        for (const [from, side] of [
            ["d2", -1],
            ["b2", 1],
        ] as const) {
            const placed = placeShapes(
                [
                    { kind: "cross", at: "c3" },
                    { kind: "arrow", from, to: "c3" },
                    { kind: "threat", at: "c3" },
                ],
                "forest",
            );
            expect(placed.map(({ kind }) => kind)).toEqual(["threat", "arrow", "cross"]);
            expect(placed[2]).toMatchObject({ centre: { x: middle.x + side * 34, y: middle.y + 34 } });
        }
    });

    it("are drawn above the pieces, and change with the prop", async () => {
        const label = (subject: string) => subject;
        const shapes: Shape[] = [
            { kind: "arrow", from: "a1", to: "c3", tone: "danger" },
            { kind: "number", at: "c3", text: 2 },
        ];
        const view = render(Board, { props: { table: TABLE, label, shapes } });
        const drawn = [...view.container.querySelectorAll("[data-drawn]")];
        expect(drawn.map((shape) => shape.getAttribute("data-drawn"))).toEqual(["arrow", "number"]);
        expect(drawn[0]).toHaveClass("danger");
        expect(drawn[1]).toHaveTextContent("2");
        const piece = view.container.querySelector("[data-piece=forest-1]") as Element;
        expect(piece.compareDocumentPosition(drawn[0] as Element)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
        await view.rerender({ shapes: [] });
        expect(view.container.querySelector("[data-drawn]")).toBeNull();
    });
});
