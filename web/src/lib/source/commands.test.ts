import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { ApiProblem } from "../client";
import type { GameCommand } from "../online";
import { Commands, FALLBACK, PATIENCE, type Done, type Keyed, type Link } from "./commands";

type Sent = Parameters<Link["send"]>[0];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function connection(): Link & { sent: Sent[]; renewed: number } {
    const link = {
        sent: [] as Sent[],
        renewed: 0,
        send: (command: Sent) => void link.sent.push(command),
        renew: () => void (link.renewed += 1),
    };
    return link;
}

function made(byHttp: (command: Keyed<GameCommand>) => Promise<Done> = () => new Promise(() => undefined)): Commands {
    return new Commands({ byHttp });
}

const done = (id: string, revision = 1): Done => ({ id, revision });

test("a command resolves when it is answered", async () => {
    const [commands, link] = [made(), connection()];
    commands.attach(link);
    const play = commands.do({ type: "play", id: "c1", token: "a1-a2", tribe: "forest", revision: 6 });
    expect(link.sent).toEqual([{ type: "play", token: "a1-a2", tribe: "forest", revision: 6, id: "c1" }]);
    commands.done(done("c1", 7));
    expect(await play).toMatchObject({ revision: 7 });
});

test("a refused command rejects with the server's reason", async () => {
    const [commands, link] = [made(), connection()];
    commands.attach(link);
    const resign = commands.do({ type: "resign", id: "c1" });
    commands.refuse({ type: "refused", id: "c1", problem: { kind: "wrong-turn", sentence: "no", faults: [] } });
    await expect(resign).rejects.toMatchObject({ kind: "wrong-turn", message: "no" });
});

test("a command that the server refuses as too fast is resent after the requested number of seconds", async () => {
    const [commands, link] = [made(), connection()];
    commands.attach(link);
    const resign = commands.do({ type: "resign", id: "c1" });
    const tooFast = { kind: "too-fast", sentence: "Wait.", faults: [], seconds: 10 };
    commands.refuse({ type: "refused", id: "c1", problem: tooFast });
    await vi.advanceTimersByTimeAsync(9_900);
    expect([link.sent.length, link.renewed]).toEqual([1, 0]);
    await vi.advanceTimersByTimeAsync(100);
    expect(link.sent.map(({ id }) => id)).toEqual(["c1", "c1"]);
    commands.done(done("c1", 7));
    expect(await resign).toMatchObject({ revision: 7 });
});

test("a command that is waiting to be resent is sent only once over the next connection", async () => {
    const [commands, first, second] = [made(), connection(), connection()];
    commands.attach(first);
    void commands.do({ type: "resign", id: "c1" });
    const tooFast = { kind: "too-fast", sentence: "Wait.", faults: [], seconds: 2 };
    commands.refuse({ type: "refused", id: "c1", problem: tooFast });
    commands.detach();
    commands.attach(second);
    await vi.advanceTimersByTimeAsync(3_000);
    expect([first.sent.length, second.sent.length]).toEqual([1, 1]);
});

test("an unanswered command is resent with the same id, before new commands, and resolves once", async () => {
    const [commands, first, second] = [made(), connection(), connection()];
    commands.attach(first);
    const one = commands.do({ type: "resign", id: "c1" });
    commands.detach();
    const two = commands.do({ type: "chat", id: "c2" });
    commands.attach(second);
    expect(second.sent.map(({ id }) => id)).toEqual(["c1", "c2"]);
    commands.done(done("c1", 3));
    commands.done(done("c1", 9)); // a late answer to the first attempt
    commands.done(done("c2", 3));
    expect((await one).revision).toBe(3);
    await two;
});

test("a connection that does not answer is renewed", async () => {
    const [commands, link] = [made(), connection()];
    commands.attach(link);
    void commands.do({ type: "resign", id: "c1" });
    await vi.advanceTimersByTimeAsync(PATIENCE - 1);
    expect(link.renewed).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(link.renewed).toBe(1);
});

test("without a connection, a command is sent over HTTP repeatedly with the same id", async () => {
    const asked: string[] = [];
    let reachable = false;
    const commands = made(({ id }) => {
        asked.push(id);
        return reachable ? Promise.resolve(done(id, 5)) : Promise.reject(new ApiProblem("offline", "", 0));
    });
    const resign = commands.do({ type: "resign", id: "c1" });
    await vi.advanceTimersByTimeAsync(FALLBACK);
    expect(asked).toEqual(["c1"]);
    reachable = true;
    await vi.advanceTimersByTimeAsync(FALLBACK);
    expect((await resign).revision).toBe(5);
    expect(asked).toEqual(["c1", "c1"]);
});

test("a command that is refused over HTTP also rejects", async () => {
    const commands = made(() => Promise.reject(new ApiProblem("stale-revision", "", 409)));
    const resign = commands.do({ type: "resign", id: "c1" });
    const refused = expect(resign).rejects.toMatchObject({ kind: "stale-revision" });
    await vi.advanceTimersByTimeAsync(FALLBACK);
    await refused;
});

test("a command without an id gets one", () => {
    const [commands, link] = [made(), connection()];
    commands.attach(link);
    void commands.do({ type: "resign" });
    void commands.do({ type: "resign" });
    expect(new Set(link.sent.map(({ id }) => id)).size).toBe(2);
});

test("an unanswered ping renews the connection and is not resent", async () => {
    const [commands, first, second] = [made(), connection(), connection()];
    commands.attach(first);
    commands.ping(1_000);
    commands.ping(); // the first ping is already checking the connection
    expect(first.sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(first.renewed).toBe(1);
    commands.attach(second);
    expect(second.sent).toEqual([]);
});

test("if only HTTP works, commands do not wait for a connection", async () => {
    const asked: string[] = [];
    const commands = made(({ id }) => {
        asked.push(id);
        return Promise.resolve(done(id, 5));
    });
    const waiting = commands.do({ type: "resign", id: "c1" });
    commands.detach(true);
    expect((await waiting).revision).toBe(5);
    expect((await commands.do({ type: "resign", id: "c2" })).revision).toBe(5);
    expect(asked).toEqual(["c1", "c2"]);
});

test("a seat token is sent before other commands, and is not resent over a later connection", async () => {
    const asked: string[] = [];
    const commands = made(({ id }) => {
        asked.push(id);
        return new Promise(() => undefined);
    });
    const [first, second] = [connection(), connection()];
    void commands.do({ type: "resign", id: "c1" });
    void commands.hello("secret");
    commands.attach(first);
    expect(first.sent.map(({ type }) => type)).toEqual(["hello", "resign"]);
    commands.detach(true);
    expect(asked).toEqual(["c1"]);
    commands.attach(second);
    expect(second.sent.map(({ type }) => type)).toEqual(["resign"]);
});
