import { expect, test } from "vitest";

import { lessonsIn } from "./mistakes";
import { keepReview, keptReview, keptReviews, noteAttempt, type KeptReview, type Mistake } from "./reviewStore";

const mistake = (index: number, more: Partial<Mistake> = {}): Mistake => ({
    index,
    tribe: "forest",
    turn: index,
    loss: 200_000,
    learnt: false,
    failed: 0,
    ...more,
});

const review = (id: string, played: string, ...mistakes: Mistake[]): KeptReview => ({
    id,
    record: `record of ${id}`,
    findings: ["found"],
    played,
    mistakes,
});

test("mistakes that were tried least often come first, then those of the latest games", () => {
    const old = review("old", "2026-11-01", mistake(3), mistake(9, { failed: 2 }));
    const late = review("late", "2026-11-18", mistake(5, { failed: 1 }), mistake(7), mistake(8, { learnt: true }));
    const order = lessonsIn([old, late]).map((lesson) => `${lesson.review.id} ${lesson.mistake.index}`);
    expect(order).toEqual(["late 7", "old 3", "late 5", "old 9"]);
});

test("what was learnt is kept when the same game is reviewed again", async () => {
    await keepReview(review("game", "2026-11-18", mistake(3), mistake(5)));
    await noteAttempt("game", 3, true);
    await noteAttempt("game", 5, false);
    await keepReview(review("game", "2026-11-18", mistake(3), mistake(5), mistake(7)));
    const found = (await keptReview("game"))?.mistakes.map(({ index, learnt, failed }) => [index, learnt, failed]);
    expect(found).toEqual([
        [3, true, 0],
        [5, false, 1],
        [7, false, 0],
    ]);
    await noteAttempt("another game", 3, true);
    expect(await keptReview("another game")).toBeNull();
});

test("only the reviews of the latest games are kept", async () => {
    for (let day = 0; day < 120; day++) {
        await keepReview(review(`game ${day}`, new Date(Date.UTC(2026, 0, day)).toISOString()));
    }
    const kept = await keptReviews();
    expect(kept).toHaveLength(100);
    expect(kept[0]?.id).toBe("game");
    expect(kept.at(-1)?.id).toBe("game 21");
});
