import { describe, expect, it } from "vitest";

import { centre, HEIGHT, pickAt, toBoard, WIDTH } from "./layout";
import { SPACES } from "./position";

describe("the layout", () => {
    it("finds every space and village under a point, in both orientations", () => {
        for (const orientation of ["forest", "sea"] as const) {
            for (const space of SPACES) expect(pickAt(centre(space, orientation), orientation)).toBe(space);
            expect(pickAt({ x: 200, y: HEIGHT - 10 }, orientation)).toBe(`village:${orientation}`);
            expect(pickAt({ x: -5, y: 300 }, orientation)).toBeNull();
            expect(pickAt({ x: 5, y: 300 }, orientation)).toBeNull();
        }
    });

    it("converts page coordinates when the board is centred in its box", () => {
        const box = { left: 10, top: 20, width: 2 * WIDTH + 100, height: 2 * HEIGHT };
        expect(toBoard(10 + 50, 20, box)).toEqual({ x: 0, y: 0 });
        expect(toBoard(10 + 50 + 2 * WIDTH, 20 + 2 * HEIGHT, box)).toEqual({ x: WIDTH, y: HEIGHT });
    });
});
