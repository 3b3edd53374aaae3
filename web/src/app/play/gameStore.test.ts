import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { ApiProblem, type GameView, type Step, type Update } from "../../lib/client";
import { PACE, type Speed } from "../../lib/settings.svelte";
import type { GameSocketHandlers } from "../../lib/socket";
import { GameStore, type Server } from "./gameStore.svelte";
import { chain, held } from "../../test/recorded";

type Asked = { way: string; body: unknown; answer: (update: unknown) => void; refuse: (problem: ApiProblem) => void };

/** A server whose answers the test gives, and a socket that it speaks through. */
function table(speed: Speed = "off", hold = false, memory?: Storage) {
    const asked: Asked[] = [];
    const problems: unknown[] = [];
    const told: string[] = [];
    let handlers: GameSocketHandlers | undefined;
    const ask = (way: string) =>
        vi.fn((...body: unknown[]) => {
            return new Promise<never>((answer, refuse) => {
                asked.push({ way, body, answer: answer as (update: unknown) => void, refuse });
            });
        });
    const server = {
        game: ask("game"),
        play: ask("play"),
        undo: ask("undo"),
        confirm: ask("confirm"),
    } as unknown as Server;
    const store = new GameStore("recorded", {
        server,
        watch: (_, given) => {
            handlers = given;
            return () => (handlers = undefined);
        },
        speed: () => speed,
        hold: () => hold,
        ...(memory && { memory }),
        onStep: (step: Step) => told.push(step.token),
        onProblem: (problem) => problems.push(problem),
    });
    store.start();
    const settle = () => vi.advanceTimersByTimeAsync(0);
    return { store, asked, problems, told, socket: () => handlers, settle };
}

const tokens = (store: GameStore) => store.steps.map((step) => step.token);

beforeEach(() => {
    vi.useFakeTimers();
});

afterEach(() => {
    vi.useRealTimers();
});

describe("what the server says", () => {
    test("updates continue the game, and the same update twice is one", () => {
        const { store, socket, told } = table();
        socket()?.game(chain[0]);
        expect(store.open).toBe(true);
        socket()?.update(chain[1]);
        socket()?.update(chain[1]);
        expect(tokens(store)).toEqual(["a1-c3"]);
        expect(store.moment?.power).toBe("FC");
        socket()?.update(chain[2]);
        expect(store.moment).toMatchObject({ decider: "sea", active: "forest", power: "SA" });
        socket()?.update(chain[3]);
        expect(tokens(store)).toEqual(["a1-c3", "d5-d4", "c3~b3"]);
        expect(told).toEqual(["a1-c3", "d5-d4", "c3~b3"]);
        expect(store.scene?.megaliths).toMatchObject({ b3: "FC" });
    });

    test("an undo takes steps back, and the table with them", () => {
        const { store, socket } = table();
        socket()?.game(chain[0]);
        for (const update of chain.slice(1) as Update[]) socket()?.update(update);
        expect(tokens(store)).toEqual([]);
        expect(store.caughtUp).toBe(true);
        expect(store.scene?.shamans).toEqual({
            a5: "sea",
            d5: "sea",
            e5: "sea",
            b2: "forest",
            a1: "forest",
            e1: "forest",
        });
    });

    test("what can be taken back, and why nothing can: as the server says, and by who sits here", () => {
        const { store, socket } = table();
        expect(store.undoable.step).toBe("watching");
        socket()?.game(chain[0]);
        expect(store.undoable).toEqual({ step: "nothing", turn: "nothing" });
        socket()?.update(chain[1]);
        expect(store.undoable).toEqual({ step: true, turn: true });
        const online = (you: GameView["you"]): GameView => ({ ...chain[0], ...chain[1], kind: "online", you });
        const seen = (you: GameView["you"]): GameStore["undoable"] => {
            const there = table();
            there.socket()?.game(online(you));
            return there.store.undoable;
        };
        expect(seen(["forest"])).toEqual({ step: true, turn: true });
        expect(seen(["sea"]).step).toBe("asking");
        expect(seen([]).turn).toBe("watching");
    });

    test("an update that continues another revision has the whole game fetched", async () => {
        const { store, socket, asked, settle } = table();
        socket()?.game(chain[0]);
        socket()?.update(chain[3]);
        socket()?.update(chain[3]);
        expect(asked.map((each) => each.way)).toEqual(["game"]);
        expect(tokens(store)).toEqual([]);
        const whole = {
            ...chain[0],
            revision: chain[3].revision,
            now: chain[3].now,
            steps: [...chain[1].steps, ...chain[2].steps, ...chain[3].steps],
        };
        asked[0]?.answer(whole);
        await settle();
        expect(tokens(store)).toEqual(["a1-c3", "d5-d4", "c3~b3"]);
        expect(store.game?.revision).toBe(chain[3].revision);
    });

    test("an older game does not undo a newer update", () => {
        const { store, socket } = table();
        socket()?.game(chain[0]);
        socket()?.update(chain[1]);
        socket()?.game(chain[0]);
        expect(tokens(store)).toEqual(["a1-c3"]);
    });

    test("a game that cannot be shown says why", () => {
        const { store, socket } = table();
        socket()?.problem(new ApiProblem("unknown-game", "", 404));
        expect(store.problem?.kind).toBe("unknown-game");
    });
});

describe("playing", () => {
    test("picks become a token, which is pending until it is acknowledged", async () => {
        const { store, socket, asked, settle } = table("off", true);
        socket()?.game(chain[0]);
        expect(store.tap("a1")).toBe("picked");
        expect(store.picks).toEqual(["a1"]);
        expect(store.tap("c3")).toBe("sent");
        expect(store.pending).toMatchObject({ token: "a1-c3", revision: chain[0].revision });
        expect(store.open).toBe(false);
        expect(store.tap("a1")).toBe("refused");
        expect(asked[0]?.body).toEqual([
            "recorded",
            { token: "a1-c3", tribe: "forest", revision: chain[0].revision, hold: true },
        ]);
        asked[0]?.answer(chain[1]);
        await settle();
        expect(store.pending).toBeNull();
        expect(tokens(store)).toEqual(["a1-c3"]);
        expect(store.open).toBe(true);
    });

    test("the socket may be faster than the answer", async () => {
        const { store, socket, asked, settle } = table();
        socket()?.game(chain[0]);
        store.tap("a1");
        store.tap("c3");
        socket()?.update(chain[1]);
        expect(store.pending).toBeNull();
        asked[0]?.answer(chain[1]);
        await settle();
        expect(tokens(store)).toEqual(["a1-c3"]);
    });

    test("a wrong tap changes nothing", () => {
        const { store, socket, asked } = table();
        socket()?.game(chain[0]);
        store.tap("a1");
        expect(store.tap("e5")).toBe("refused");
        expect(store.picks).toEqual(["a1"]);
        expect(store.cancel()).toBe(true);
        expect(store.picks).toEqual([]);
        expect(asked).toEqual([]);
    });

    test("a stale revision: the game is fetched as it stands, and the player told", async () => {
        const { store, socket, asked, problems, settle } = table();
        socket()?.game(chain[0]);
        store.tap("a1");
        store.tap("c3");
        const stale = new ApiProblem("stale-revision", "", 409);
        asked[0]?.refuse(stale);
        await settle();
        expect(problems).toEqual([stale]);
        expect(store.pending).toBeNull();
        expect(asked[1]?.way).toBe("game");
        asked[1]?.answer({ ...chain[0], revision: chain[1].revision, steps: chain[1].steps, now: chain[1].now });
        await settle();
        expect(tokens(store)).toEqual(["a1-c3"]);
        expect(store.open).toBe(true);
    });

    test("nobody answers: the token stays pending and is sent again after the reconnection", async () => {
        const { store, socket, asked, settle } = table();
        socket()?.game(chain[0]);
        store.tap("a1");
        store.tap("c3");
        asked[0]?.refuse(new ApiProblem("offline", ""));
        await settle();
        expect(store.pending?.token).toBe("a1-c3");
        socket()?.game(chain[0]);
        expect(asked).toHaveLength(2);
        expect(asked[1]?.body).toEqual(asked[0]?.body);
        asked[1]?.answer(chain[1]);
        await settle();
        expect(store.pending).toBeNull();
        expect(tokens(store)).toEqual(["a1-c3"]);
    });

    test("nobody answers: it is also sent again by itself, and a token that had arrived is not told as stale", async () => {
        const { store, socket, asked, problems, settle } = table();
        socket()?.game(chain[0]);
        store.tap("a1");
        store.tap("c3");
        asked[0]?.refuse(new ApiProblem("offline", ""));
        await settle();
        expect(problems).toHaveLength(1);
        await vi.advanceTimersByTimeAsync(1000);
        expect(asked).toHaveLength(2);
        asked[1]?.refuse(new ApiProblem("stale-revision", "", 409));
        await settle();
        asked[2]?.answer({ ...chain[0], revision: chain[1].revision, steps: chain[1].steps, now: chain[1].now });
        await settle();
        expect(store.pending).toBeNull();
        expect(tokens(store)).toEqual(["a1-c3"]);
        expect(problems).toHaveLength(1);
    });

    test("nobody answered, but the token had arrived: it is not sent twice", async () => {
        const { store, socket, asked, settle } = table();
        socket()?.game(chain[0]);
        store.tap("a1");
        store.tap("c3");
        asked[0]?.refuse(new ApiProblem("offline", ""));
        await settle();
        socket()?.game({ ...chain[0], revision: chain[1].revision, steps: chain[1].steps, now: chain[1].now });
        expect(asked).toHaveLength(1);
        expect(store.pending).toBeNull();
        expect(tokens(store)).toEqual(["a1-c3"]);
    });

    test("a page that was left sends nothing any more, and the token is sent when it is opened again", async () => {
        sessionStorage.clear();
        const left = table("off", false, sessionStorage);
        left.socket()?.game(chain[0]);
        left.store.tap("a1");
        left.store.tap("c3");
        left.store.stop();
        left.asked[0]?.refuse(new ApiProblem("offline", ""));
        await vi.advanceTimersByTimeAsync(60_000);
        expect(left.asked).toHaveLength(1);

        const opened = table("off", false, sessionStorage);
        opened.socket()?.game(chain[0]);
        expect(opened.asked[0]?.body).toEqual(left.asked[0]?.body);
        opened.asked[0]?.answer(chain[1]);
        await opened.settle();
        expect(tokens(opened.store)).toEqual(["a1-c3"]);
        expect(sessionStorage).toHaveLength(0);
    });

    test("time that was given back after a crash does not make a token that is on its way forgotten", async () => {
        sessionStorage.clear();
        const left = table("off", false, sessionStorage);
        left.socket()?.game(chain[0]);
        left.store.tap("a1");
        left.store.tap("c3");
        left.store.stop();

        const paused = { ...chain[0], revision: chain[0].revision + 1 };
        const opened = table("off", false, sessionStorage);
        opened.socket()?.game(paused);
        expect(opened.asked[0]?.body).toEqual(left.asked[0]?.body);
        expect(opened.store.open).toBe(false);
        opened.socket()?.game({ ...paused, revision: paused.revision + 1 });
        expect(opened.asked[1]?.body).toEqual(left.asked[0]?.body);
        expect(opened.store.pending?.token).toBe("a1-c3");

        const outcome = { winner: "sea", reason: "time", rule: null } as unknown as GameView["now"]["outcome"];
        const over = { ...paused, revision: paused.revision + 2, now: { ...paused.now, outcome } };
        opened.socket()?.game(over);
        expect(opened.store.pending).toBeNull();
        expect(sessionStorage).toHaveLength(0);
    });

    test("a token that had arrived before the page was left is not sent again", () => {
        sessionStorage.clear();
        const left = table("off", false, sessionStorage);
        left.socket()?.game(chain[0]);
        left.store.tap("a1");
        left.store.tap("c3");
        left.store.stop();

        const opened = table("off", false, sessionStorage);
        opened.socket()?.game({
            ...chain[0],
            revision: chain[1].revision,
            steps: chain[1].steps,
            now: chain[1].now,
        });
        expect(opened.asked).toHaveLength(0);
        expect(sessionStorage).toHaveLength(0);
    });

    test("a tap while something is shown shows its end, and never plays", () => {
        const { store, socket, asked } = table("slow");
        socket()?.game(chain[0]);
        socket()?.update(chain[1]);
        expect(store.caughtUp).toBe(false);
        const token = chain[1].now.choices.find((choice) => choice.paths.some((path) => path.length === 2));
        const [first, second] = token?.paths.find((path) => path.length === 2) ?? [];
        store.picks = [first ?? ""];
        expect(store.tap(second ?? "")).toBe("skipped");
        expect(store.caughtUp).toBe(true);
        expect(asked).toHaveLength(0);
    });

    test("a held turn is confirmed; then the computer answers", async () => {
        const { store, socket, asked, settle } = table("off", true);
        socket()?.game(held[0]);
        store.tap("a1");
        store.tap("a2");
        asked[0]?.answer(held[1]);
        await settle();
        expect(store.moment?.held).toBe("forest");
        expect(store.open).toBe(false);
        void store.confirm();
        expect(asked[1]).toMatchObject({ way: "confirm", body: ["recorded", held[1].revision] });
        expect(store.busy).toBe(true);
        asked[1]?.answer(held[2]);
        await settle();
        expect(store.busy).toBe(false);
        expect(store.moment?.held).toBeNull();
        socket()?.game(held[3]);
        expect(store.open).toBe(true);
        expect(store.steps.at(1)?.by).toBe("sea");
    });

    test("undo asks for the step or the turn", async () => {
        const { store, socket, asked, settle } = table();
        socket()?.game(chain[0]);
        for (const update of chain.slice(1, 4) as Update[]) socket()?.update(update);
        void store.undo("step");
        expect(asked[0]).toMatchObject({ way: "undo", body: ["recorded", chain[3].revision, "step"] });
        asked[0]?.answer(chain[4]);
        await settle();
        expect(tokens(store)).toEqual(["a1-c3", "d5-d4"]);
        void store.undo("turn");
        expect(asked[1]?.body).toEqual(["recorded", chain[4].revision, "turn"]);
    });
});

describe("showing what happened", () => {
    test("one effect after another, at the chosen speed", () => {
        const { store, socket, told } = table("normal");
        socket()?.game(chain[0]);
        socket()?.update(chain[1]);
        expect(store.caughtUp).toBe(false);
        expect(store.open).toBe(false);
        expect(store.effect?.kind).toBe("moved");
        expect(store.scene?.shamans).toMatchObject({ c3: "forest" });
        expect(store.scene?.faces.jump).toBe("f");
        vi.advanceTimersByTime(PACE.normal);
        expect(store.effect?.kind).toBe("flipped");
        expect(store.scene?.faces.jump).toBe("e");
        vi.advanceTimersByTime(PACE.normal);
        expect(store.effect?.kind).toBe("activated");
        vi.advanceTimersByTime(PACE.normal);
        expect(store.caughtUp).toBe(true);
        expect(store.open).toBe(true);
        expect(told).toEqual(["a1-c3"]);
    });

    test("a tap skips to the end; if it is a pick, it counts", () => {
        const { store, socket, told } = table("slow");
        socket()?.game(chain[0]);
        socket()?.update(chain[1]);
        socket()?.update(chain[2]);
        expect(store.tap("a1")).toBe("skipped");
        expect(store.caughtUp).toBe(true);
        expect(told).toEqual(["a1-c3", "d5-d4"]);
        const again = table("slow");
        again.socket()?.game(chain[0]);
        again.socket()?.update(chain[1]);
        expect(again.store.tap("d5")).toBe("picked");
        expect(again.store.picks).toEqual(["d5"]);
    });

    test("what is taken back while it is shown is not shown on", () => {
        const { store, socket } = table("slow");
        socket()?.game(chain[0]);
        for (const update of chain.slice(1) as Update[]) socket()?.update(update);
        expect(store.caughtUp).toBe(true);
        expect(store.scene?.shamans).toMatchObject({ a1: "forest", d5: "sea" });
        vi.advanceTimersByTime(10_000);
        expect(store.scene?.shamans).toMatchObject({ a1: "forest", d5: "sea" });
    });

    test("a reload in the middle of a chain stands at the decision that is asked", () => {
        const { store, socket } = table("slow");
        socket()?.game({
            ...chain[0],
            revision: chain[2].revision,
            steps: [...chain[1].steps, ...chain[2].steps],
            now: chain[2].now,
        });
        expect(store.caughtUp).toBe(true);
        expect(store.open).toBe(true);
        expect(store.moment?.power).toBe("SA");
        expect(store.scene?.shamans).toMatchObject({ c3: "forest", d4: "sea" });
    });
});

describe("looking back", () => {
    function played() {
        const made = table();
        made.socket()?.game(chain[0]);
        for (const update of chain.slice(1, 4) as Update[]) made.socket()?.update(update);
        return made;
    }

    test("step by step, and back to the game", () => {
        const { store } = played();
        store.goTo(0);
        expect(store.replaying).toBe(true);
        expect(store.scene?.shamans).toMatchObject({ a1: "forest" });
        expect(store.tap("a5")).toBe("refused");
        store.goTo(2);
        expect(store.at).toBe(2);
        expect(store.scene?.shamans).toMatchObject({ c3: "forest", d4: "sea" });
        store.goTo(3);
        expect(store.replaying).toBe(false);
        store.goTo(-5);
        expect(store.at).toBe(0);
        store.goLive();
        expect(store.replaying).toBe(false);
        expect(store.open).toBe(true);
    });

    test("nothing is confirmed or taken back while looking back, or before its end was shown", () => {
        const { store, asked, socket } = table("slow");
        socket()?.game(held[0]);
        socket()?.update(held[1]);
        expect(store).toMatchObject({ asked: true, caughtUp: false, canConfirm: false });
        const tryBoth = (): number => {
            void store.confirm();
            void store.undo("step");
            return asked.length;
        };
        expect(tryBoth()).toBe(0);
        store.goTo(0);
        expect(store).toMatchObject({ replaying: true, canConfirm: false });
        expect(tryBoth()).toBe(0);
        store.goLive();
        expect(store.canConfirm).toBe(true);
        expect(tryBoth()).toBe(1);
        expect(asked[0]?.way).toBe("confirm");
    });

    test("what happens meanwhile waits; what is taken back is not looked at any more", () => {
        const { store, socket } = played();
        store.goTo(2);
        socket()?.update(chain[4]);
        expect(store.at).toBe(2);
        socket()?.update(chain[5]);
        expect(store.at).toBe(0);
        store.goLive();
        expect(store.scene?.shamans).toMatchObject({ a1: "forest" });
    });

    test("a finished game is looked at up to its last step", () => {
        const { store, socket } = table();
        const outcome = { winner: "forest", reason: "score", rule: "G1" } as const;
        socket()?.game({ ...chain[0], steps: chain[1].steps, now: { ...chain[1].now, choices: [], outcome } });
        store.goTo(1);
        expect(store.replaying).toBe(true);
        store.goLive();
        expect(store.replaying).toBe(false);
    });

    test("an address that names a step begins there", () => {
        const { store, socket } = table();
        store.stop();
        store.start(1);
        socket()?.game({ ...chain[0], revision: 2, steps: [...chain[1].steps, ...chain[2].steps], now: chain[2].now });
        expect(store.at).toBe(1);
        expect(store.replaying).toBe(true);
    });
});
