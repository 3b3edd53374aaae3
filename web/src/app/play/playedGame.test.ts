import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { ApiProblem, type GameView, type Update } from "../../lib/client";
import { choice } from "../../test/choices";
import { afterFirst, table, tokens } from "../../test/playedGame";
import { chain, held } from "../../test/recorded";
import type { PlayedGame } from "./playedGame.svelte";

beforeEach(() => {
    vi.useFakeTimers();
    sessionStorage.clear();
});

afterEach(() => {
    vi.useRealTimers();
});

describe("a followed game", () => {
    test("applies each update, and ignores a repeated state", () => {
        const { played, say, told } = table();
        say(chain[0]);
        expect(played.open).toBe(true);
        say(chain[1]);
        say(afterFirst);
        expect(tokens(played)).toEqual(["a1-c3"]);
        expect(played.sync.moment?.power).toBe("FC");
        say(chain[2]);
        expect(played.sync.moment).toMatchObject({ decider: "sea", active: "forest", power: "SA" });
        say(chain[3]);
        expect(tokens(played)).toEqual(["a1-c3", "d5-d4", "c3~b3"]);
        expect(told).toEqual(["a1-c3", "d5-d4", "c3~b3"]);
        expect(played.playback.scene?.megaliths).toMatchObject({ b3: "FC" });
    });

    test("shows the start of a game with sealed draws as soon as it is drawn", () => {
        const { played, say } = table();
        const game = chain[0] as GameView;
        say({ ...game, start: "S1S1S/5/5/5/F1F1F - ---- - wofm 0-0 F" });
        expect(played.playback.scene?.megaliths).toEqual({});
        say({ ...game, revision: game.revision + 1 });
        expect(played.playback.scene?.megaliths).toHaveProperty("c3");
    });

    test("takes back steps and restores the table on an undo", () => {
        const { played, say } = table();
        say(chain[0]);
        for (const update of chain.slice(1) as Update[]) say(update);
        expect(tokens(played)).toEqual([]);
        expect(played.playback.caughtUp).toBe(true);
        expect(played.playback.scene?.shamans).toEqual({
            a5: "sea",
            d5: "sea",
            e5: "sea",
            b2: "forest",
            a1: "forest",
            e1: "forest",
        });
    });

    test("exposes what can be undone, or why nothing can be undone", () => {
        const { played, say } = table();
        expect(played.sync.undoable.step).toBe("watching");
        say(chain[0]);
        expect(played.sync.undoable).toEqual({ step: "nothing", turn: "nothing" });
        say(chain[1]);
        expect(played.sync.undoable).toEqual({ step: true, turn: true });
        const online = (you: GameView["you"]): GameView => ({ ...afterFirst, kind: "online", you });
        const seen = (you: GameView["you"]): PlayedGame["sync"]["undoable"] => {
            const there = table();
            there.say(online(you));
            return there.played.sync.undoable;
        };
        expect(seen(["forest"])).toEqual({ step: true, turn: true });
        expect(seen(["sea"]).step).toBe("asking");
        expect(seen([]).turn).toBe("watching");
    });

    test("shows several steps that arrive together", () => {
        const { played, say, told } = table();
        say(chain[0]);
        const steps = [...chain[1].steps, ...chain[2].steps, ...chain[3].steps];
        say({ ...chain[0], revision: chain[3].revision, now: chain[3].now, steps });
        expect(told).toEqual(["a1-c3", "d5-d4", "c3~b3"]);
        expect(played.playback.caughtUp).toBe(true);
    });

    test("returns to an earlier revision after a backup is restored", () => {
        const { played, say } = table();
        say(chain[0]);
        say(chain[1]);
        say(chain[0]);
        expect(tokens(played)).toEqual([]);
        expect(played.playback.scene?.shamans).toMatchObject({ a1: "forest" });
        expect(played.open).toBe(true);
    });

    test("exposes the reason if it cannot be shown", () => {
        const { played, follower } = table();
        follower()?.problem(new ApiProblem("unknown-game", "", 404));
        expect(played.sync.problem?.kind).toBe("unknown-game");
    });
});

describe("playing", () => {
    test("a complete selection sends a token, which is pending until it is acknowledged", async () => {
        const { played, say, asked, settle } = table("off", true);
        say(chain[0]);
        expect(played.tap("a1")).toBe("picked");
        expect(played.selection.picks).toEqual(["a1"]);
        expect(played.tap("c3")).toBe("sent");
        expect(played.sync.pending).toMatchObject({ token: "a1-c3", revision: chain[0].revision });
        expect(played.open).toBe(false);
        expect(played.tap("a1")).toBe("refused");
        expect(asked[0]?.body).toEqual([
            {
                id: expect.any(String) as string,
                token: "a1-c3",
                tribe: "forest",
                revision: chain[0].revision,
                hold: true,
            },
        ]);
        say(chain[1]);
        expect(played.sync.pending).toBeNull();
        asked[0]?.done();
        await settle();
        expect(tokens(played)).toEqual(["a1-c3"]);
        expect(played.open).toBe(true);
    });

    test("a decision by the remote player selects nothing here", () => {
        const here = table();
        here.say({ ...chain[0], kind: "online", you: ["forest"] });
        const choices = [choice("b3-a4", ["b3 a4"]), choice("b3-c4", ["b3 c4"])];
        const power = { ...chain[1].now, phase: "power" as const, choices, held: null };
        const steps = chain[1].steps;
        const asks = (decider: "forest" | "sea"): void =>
            here.say({ ...chain[0], kind: "online", you: ["forest"], steps, now: { ...power, decider } });
        asks("sea");
        expect(here.played.selection.picks).toEqual([]);
        here.say(chain[0]);
        asks("forest");
        expect(here.played.selection.picks).toEqual(["b3"]); // every choice starts there
    });

    test("an offer does not clear a pending token", () => {
        const { played, say } = table();
        say(chain[0]);
        played.tap("a1");
        played.tap("c3");
        say({ ...chain[0], revision: chain[0].revision + 1 });
        expect(played.sync.pending?.token).toBe("a1-c3");
    });

    test("an invalid tap changes nothing", () => {
        const { played, say, asked } = table();
        say(chain[0]);
        played.tap("a1");
        expect(played.tap("e5")).toBe("refused");
        expect(played.selection.picks).toEqual(["a1"]);
        expect(played.selection.begun).toBe(true);
        played.selection.reset();
        expect(played.selection.picks).toEqual([]);
        expect(asked).toEqual([]);
    });

    test("a refusal is reported, and the current game is fetched", async () => {
        const { played, say, asked, problems, settle } = table();
        say(chain[0]);
        played.tap("a1");
        played.tap("c3");
        const stale = new ApiProblem("stale-revision", "", 409);
        asked[0]?.refuse(stale);
        await settle();
        expect(problems).toEqual([stale]);
        expect(played.sync.pending).toBeNull();
        expect(asked[1]?.command).toBe("refresh");
        say(chain[1]);
        asked[1]?.done();
        await settle();
        expect(tokens(played)).toEqual(["a1-c3"]);
        expect(played.open).toBe(true);
    });

    test("a token that was pending when the page was closed is resent with the same id", async () => {
        const left = table();
        left.say(chain[0]);
        left.played.tap("a1");
        left.played.tap("c3");
        left.played.stop();
        left.asked[0]?.refuse(new ApiProblem("offline", ""));
        await left.settle();
        expect(left.problems).toEqual([]);

        const opened = table();
        opened.say(chain[0]);
        expect(opened.asked[0]?.body).toEqual(left.asked[0]?.body);
        opened.say(chain[1]);
        opened.asked[0]?.done();
        await opened.settle();
        expect(tokens(opened.played)).toEqual(["a1-c3"]);
        expect(sessionStorage).toHaveLength(0);
    });

    test("a pending token survives a clock pause after a crash, but not the end of the game", () => {
        const left = table();
        left.say(chain[0]);
        left.played.tap("a1");
        left.played.tap("c3");
        left.played.stop();

        const paused = { ...chain[0], revision: chain[0].revision + 1 };
        const opened = table();
        opened.say(paused);
        expect(opened.asked[0]?.body).toEqual(left.asked[0]?.body);
        expect(opened.played.open).toBe(false);

        const outcome = { winner: "sea", reason: "time", rule: null } as unknown as GameView["now"]["outcome"];
        opened.say({ ...paused, revision: paused.revision + 2, now: { ...paused.now, outcome } });
        expect(opened.played.sync.pending).toBeNull();
        expect(sessionStorage).toHaveLength(0);
    });

    test("a token that the server received before the page was closed is not resent", () => {
        const left = table();
        left.say(chain[0]);
        left.played.tap("a1");
        left.played.tap("c3");
        left.played.stop();

        const opened = table();
        opened.say(afterFirst);
        expect(opened.asked).toHaveLength(0);
        expect(sessionStorage).toHaveLength(0);
    });

    test("a tap during playback skips to the end, and never plays a token", () => {
        const { played, say, asked } = table("slow");
        say(chain[0]);
        say(chain[1]);
        expect(played.playback.caughtUp).toBe(false);
        const token = chain[1].now.choices.find((choice) => choice.paths.some((path) => path.length === 2));
        const [first, second] = token?.paths.find((path) => path.length === 2) ?? [];
        played.selection.picks = [first ?? ""];
        expect(played.tap(second ?? "")).toBe("skipped");
        expect(played.playback.caughtUp).toBe(true);
        expect(asked).toHaveLength(0);
    });

    test("the computer moves after a held turn is confirmed", async () => {
        const { played, say, asked, settle } = table("off", true);
        say(held[0]);
        played.tap("a1");
        played.tap("a2");
        say(held[1]);
        asked[0]?.done();
        await settle();
        expect(played.sync.moment?.held).toBe("forest");
        expect(played.open).toBe(false);
        void played.confirm();
        expect(asked[1]).toMatchObject({ command: "confirm", body: [held[1].revision] });
        expect(played.sync.busy).toBe(true);
        say(held[2]);
        asked[1]?.done();
        await settle();
        expect(played.sync.busy).toBe(false);
        expect(played.sync.moment?.held).toBeNull();
        say(held[3]);
        expect(played.open).toBe(true);
        expect(played.sync.steps.at(1)?.by).toBe("sea");
    });

    test("the computer's thinking time starts at the confirmation, not at the held turn", () => {
        const { played, say } = table("off", true);
        say(held[0]);
        say(held[1]);
        vi.advanceTimersByTime(30_000);
        say(held[2]);
        expect(Date.now() - played.sync.since).toBe(0);
        vi.advanceTimersByTime(5_000);
        const { revision, steps, now } = held[2];
        say({ ...held[0], revision: revision + 1, steps: [...held[1].steps, ...steps], now });
        expect(Date.now() - played.sync.since).toBe(5_000); // an offer does not start a new decision
    });

    test("undo asks the source to take back a step or a turn", async () => {
        const { played, say, asked, settle } = table();
        say(chain[0]);
        for (const update of chain.slice(1, 4) as Update[]) say(update);
        void played.undo("step");
        expect(asked[0]).toMatchObject({ command: "undo", body: [chain[3].revision, "step"] });
        say(chain[4]);
        asked[0]?.done();
        await settle();
        expect(tokens(played)).toEqual(["a1-c3", "d5-d4"]);
        void played.undo("turn");
        expect(asked[1]?.body).toEqual([chain[4].revision, "turn"]);
    });
});
