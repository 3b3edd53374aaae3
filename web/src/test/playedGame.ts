/** A game on the play page whose source is controlled by the test. */
import { vi } from "vitest";

import { PlayedGame } from "../app/play/playedGame.svelte";
import { updated, type ApiProblem, type GameView, type Step, type Update } from "../lib/client";
import { PACE, type Speed } from "../lib/settings.svelte";
import type { GameFollower, GameSource } from "../lib/source";
import { sessionStore } from "../lib/storage";
import { chain } from "./recorded";

type Asked = { command: string; body: unknown; done: () => void; refuse: (problem: ApiProblem) => void };

export function table(speed: Speed = "off", hold = false, beat = 0) {
    const asked: Asked[] = [];
    const problems: unknown[] = [];
    const told: string[] = [];
    let follower: GameFollower | undefined;
    let game: GameView | undefined;
    const ask =
        (command: string) =>
        (...body: unknown[]) =>
            new Promise<void>((done, refuse) => asked.push({ command, body, done, refuse }));
    const source: GameSource = {
        id: "recorded",
        follow: (given) => {
            follower = given;
            return () => (follower = undefined);
        },
        play: ask("play"),
        undo: ask("undo"),
        confirm: ask("confirm"),
        refresh: ask("refresh"),
        record: () => Promise.reject(new Error("no record")),
        takeOver: null,
        table: null,
    };
    const played = new PlayedGame({
        source,
        pace: () => PACE[speed],
        beat: () => beat,
        hold: () => hold,
        memory: sessionStore,
        onStep: (step: Step) => told.push(step.token),
        onProblem: (problem) => problems.push(problem),
    });
    played.start();
    /** Deliver a whole game from the source, or apply an update and deliver the result. */
    const say = (next: GameView | Update): void => {
        const whole = "base" in next ? game && updated(game, next, 0) : next;
        if (!whole) throw new Error("this update does not continue the game");
        game = whole;
        follower?.game(whole);
    };
    const settle = () => vi.advanceTimersByTimeAsync(0);
    return { played, asked, problems, told, say, settle, follower: () => follower };
}

export const tokens = ({ sync }: PlayedGame) => sync.steps.map((step) => step.token);

/** The recorded chain after its first update. */
export const afterFirst: GameView = {
    ...chain[0],
    revision: chain[1].revision,
    steps: chain[1].steps,
    now: chain[1].now,
};
