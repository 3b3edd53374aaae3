import { expect, test } from "vitest";

import { findPlace, overlapAll, type Surroundings } from "./placement";

const AREA = { x: 6, y: 50, width: 348, height: 580 };
const SIZE = { width: 300, height: 90 };
const EMPTY: Omit<Surroundings, "anchor"> = { area: AREA, needed: [], marks: [], preferred: [], spare: [] };

test("a tip is right below its anchor if nothing is there", () => {
    const anchor = { x: 60, y: 50, width: 240, height: 40 };
    const { x, y } = findPlace(SIZE, { ...EMPTY, anchor });
    expect([x, y]).toEqual([30, 98]);
});

test("a tip avoids its anchor and everything the player needs, wherever there is room", () => {
    const anchor = { x: 60, y: 280, width: 40, height: 40 };
    const needed = [
        { x: 0, y: 180, width: 360, height: 90 },
        { x: 0, y: 330, width: 360, height: 150 },
    ];
    const place = findPlace(SIZE, { ...EMPTY, anchor, needed });
    expect(overlapAll({ ...place, ...SIZE }, [...needed, anchor])).toBe(0);
    expect(place.y).toBeGreaterThanOrEqual(AREA.y);
    expect(place.y + SIZE.height).toBeLessThanOrEqual(AREA.y + AREA.height);
});

test("a tip avoids pieces if there is a free place nearby", () => {
    const anchor = { x: 60, y: 50, width: 240, height: 40 };
    const preferred = [{ x: 60, y: 98, width: 240, height: 40 }];
    const place = findPlace(SIZE, { ...EMPTY, anchor, preferred });
    expect(overlapAll({ ...place, ...SIZE }, preferred)).toBe(0);
});

test("a tip avoids the marks of the last turn and prefers a place outside the board", () => {
    const anchor = { x: 60, y: 120, width: 40, height: 40 };
    const board = { x: 6, y: 50, width: 348, height: 440 };
    const tray = { x: 6, y: 520, width: 348, height: 110 };
    const marks = [{ x: 100, y: 240, width: 12, height: 12 }];
    const free = findPlace(SIZE, { ...EMPTY, anchor: { ...anchor, y: 380 }, marks, spare: [board] });
    expect(overlapAll({ ...free, ...SIZE }, [board])).toBe(0);
    const preferred = [{ x: 6, y: 170, width: 348, height: 320 }];
    const over = findPlace(SIZE, { ...EMPTY, anchor, marks, preferred, spare: [board, tray] });
    expect(overlapAll({ ...over, ...SIZE }, [...marks, ...preferred])).toBe(0);
});
