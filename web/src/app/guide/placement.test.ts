import { expect, test } from "vitest";

import { findPlace, overlapAll } from "./placement";

const AREA = { x: 6, y: 50, width: 348, height: 580 };
const SIZE = { width: 300, height: 90 };

test("a tip is right below its anchor if nothing is there", () => {
    const anchor = { x: 60, y: 50, width: 240, height: 40 };
    const { x, y } = findPlace(SIZE, { area: AREA, anchor, needed: [], preferred: [] });
    expect([x, y]).toEqual([30, 98]);
});

test("a tip avoids its anchor and everything the player needs, wherever there is room", () => {
    const anchor = { x: 60, y: 280, width: 40, height: 40 };
    const needed = [
        { x: 0, y: 180, width: 360, height: 90 },
        { x: 0, y: 330, width: 360, height: 150 },
    ];
    const place = findPlace(SIZE, { area: AREA, anchor, needed, preferred: [] });
    expect(overlapAll({ ...place, ...SIZE }, [...needed, anchor])).toBe(0);
    expect(place.y).toBeGreaterThanOrEqual(AREA.y);
    expect(place.y + SIZE.height).toBeLessThanOrEqual(AREA.y + AREA.height);
});

test("a tip avoids pieces if there is a free place nearby", () => {
    const anchor = { x: 60, y: 50, width: 240, height: 40 };
    const preferred = [{ x: 60, y: 98, width: 240, height: 40 }];
    const place = findPlace(SIZE, { area: AREA, anchor, needed: [], preferred });
    expect(overlapAll({ ...place, ...SIZE }, preferred)).toBe(0);
});
