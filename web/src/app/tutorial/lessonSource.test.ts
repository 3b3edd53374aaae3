/** Tests a lesson as the source of a game, with the real core. */
import { describe, expect, test, vi } from "vitest";

import { ApiProblem, type GameView } from "../../lib/client";
import { hasCore, loadStudy } from "../../test/core";
import { LESSONS, type Lesson } from "./lessons";
import { LessonSource } from "./lessonSource";

async function opened(id: string) {
    const study = await loadStudy();
    const lesson = LESSONS.find((each) => each.id === id) as Lesson;
    const listener = { accepted: vi.fn(), declined: vi.fn() };
    const asked = vi.fn(async (position: string, tokens: readonly string[]) => study(position, tokens));
    const source = new LessonSource(lesson, asked, listener);
    const games: GameView[] = [];
    const unfollow = source.follow({
        game: (game) => games.push(game),
        connection: () => undefined,
        problem: (problem) => expect.unreachable(problem.message),
        failed: () => undefined,
    });
    await vi.waitFor(() => expect(games).toHaveLength(1));
    const play = (token: string) => source.play({ id: "", token, tribe: "forest", revision: 0, hold: false });
    const last = () => games.at(-1) as GameView;
    return { source, listener, games, play, last, unfollow, asked, study };
}

const tokensOf = ({ steps }: GameView) => steps.map(({ token }) => token);

describe.skipIf(!hasCore)("a lesson", () => {
    test("plays an accepted token, then the opponent's reply", async () => {
        const { play, last, listener } = await opened("add");
        expect(last().now.choices.length).toBeGreaterThan(1);
        await play("+d1");
        expect(tokensOf(last())).toEqual(["+d1", "b2-b1"]);
        expect(listener.accepted).toHaveBeenCalledExactlyOnceWith(1);
        expect(last().now.choices.map(({ token }) => token)).toContain("+b1");
    });

    test("shows a token that it declines, and takes it back", async () => {
        const { source, play, last, listener } = await opened("add");
        const before = last();
        await play("a1-a2");
        expect(listener.declined).toHaveBeenCalledOnce();
        expect(listener.accepted).not.toHaveBeenCalled();
        expect(tokensOf(last())).toEqual(["a1-a2"]);
        expect(last().now.choices).toEqual([]);
        source.takeBack();
        expect(last()).toEqual({ ...before, revision: last().revision });
    });

    test("offers nothing after its last step", async () => {
        const { play, last, listener } = await opened("leave");
        await play("c5-out");
        await play("=MD");
        expect(tokensOf(last())).toEqual(["c5-out", "=MD", "?AD"]);
        expect(listener.accepted).toHaveBeenLastCalledWith(2);
        expect(last().now.choices).toEqual([]);
        await play("a5-b4");
        expect(tokensOf(last())).toHaveLength(3);
    });

    test("rejects an illegal token and shows nothing", async () => {
        const { play, games } = await opened("add");
        await expect(play("a1-a5")).rejects.toThrow(ApiProblem);
        expect(games).toHaveLength(1);
    });

    test("lets a step be played again if the core failed before the opponent's reply", async () => {
        const { play, last, games, listener, asked, study } = await opened("add");
        asked.mockImplementationOnce(async (position, tokens) => study(position, tokens));
        asked.mockRejectedValueOnce(new Error("trapped"));
        await expect(play("+d1")).rejects.toThrow("trapped");
        expect([listener.accepted.mock.calls, games.length]).toEqual([[], 1]);
        await play("+d1");
        expect(tokensOf(last())).toEqual(["+d1", "b2-b1"]);
        expect(listener.accepted).toHaveBeenCalledExactlyOnceWith(1);
    });

    test("shows nothing after the learner has left it", async () => {
        const { play, games, unfollow } = await opened("add");
        unfollow();
        await play("+d1");
        expect(games).toHaveLength(1);
    });
});
