import { expect, test } from "vitest";

import { FIRST_RATING, rated } from "./rating";

const puzzle = { rating: 1000, deviation: 100 };

test("a solved puzzle raises the rating, a failed one lowers it, and both make it surer", () => {
    const better = rated(FIRST_RATING, puzzle, true);
    const worse = rated(FIRST_RATING, puzzle, false);
    expect(better.rating).toBeGreaterThan(FIRST_RATING.rating);
    expect(worse.rating).toBeLessThan(FIRST_RATING.rating);
    expect(better.deviation).toBeLessThan(FIRST_RATING.deviation);
    expect(better.deviation).toBe(worse.deviation);
});

test("the more surprising a result is, the more it counts", () => {
    const gain = (rating: number): number => rated({ rating, deviation: 100 }, puzzle, true).rating - rating;
    expect(gain(700)).toBeGreaterThan(gain(1300));
});

test("Glickman's example is computed as in his paper", () => {
    // A player of 1500 with deviation 200 beats 1400 (30) and loses to 1550 (100) and 1700 (300): 1464, 151.4. One after
    // the other, the games give nearly the same.
    let player = { rating: 1500, deviation: 200 };
    player = rated(player, { rating: 1400, deviation: 30 }, true);
    player = rated(player, { rating: 1550, deviation: 100 }, false);
    player = rated(player, { rating: 1700, deviation: 300 }, false);
    expect(Math.abs(player.rating - 1464)).toBeLessThan(8);
    expect(Math.abs(player.deviation - 151.4)).toBeLessThan(3);
});

test("the deviation never falls so low that the rating cannot change", () => {
    let player = FIRST_RATING;
    for (let count = 0; count < 500; count++) player = rated(player, puzzle, count % 2 === 0);
    expect(player.deviation).toBe(60);
});
