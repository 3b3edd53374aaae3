import { render } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";

import Board from "./Board.svelte";
import { centre } from "./layout";
import { parsePosition } from "./position";
import { placeShapes, type Shape } from "./shapes";

const TABLE = parsePosition("S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F");

describe("shapes", () => {
    it("are centred on their spaces, in both orientations", () => {
        for (const orientation of ["forest", "sea"] as const) {
            const [circle] = placeShapes([{ kind: "circle", at: "b4" }], orientation);
            expect(circle).toEqual({ kind: "circle", tone: "plain", centre: centre("b4", orientation) });
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

    it("are omitted if their place is not on the board, or if they are arrows that end where they begin", () => {
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
