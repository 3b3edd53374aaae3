import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { ApiProblem } from "../client";
import { Commands, FALLBACK, PATIENCE, type Command, type Done, type Link } from "./commands";

type Sent = Command & { id: string };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function connection(): Link & { sent: Sent[]; renewed: number } {
    const link = {
        sent: [] as Sent[],
        renewed: 0,
        send: (command: object) => void link.sent.push(command as Sent),
        renew: () => void (link.renewed += 1),
    };
    return link;
}

function made(byHttp: (command: Sent) => Promise<Done> = () => new Promise(() => undefined)): Commands {
    return new Commands({ byHttp });
}

const done = (id: string, revision = 1): Done => ({ type: "done", id, revision });

test("a command resolves when it is answered", async () => {
    const [commands, link] = [made(), connection()];
    commands.attach(link);
    const play = commands.do({ type: "play", id: "c1", token: "a1-a2" });
    expect(link.sent).toEqual([{ type: "play", token: "a1-a2", id: "c1" }]);
    commands.answer(done("c1", 7));
    expect(await play).toMatchObject({ revision: 7 });
});

test("a refused command rejects with the server's reason", async () => {
    const [commands, link] = [made(), connection()];
    commands.attach(link);
    const play = commands.do({ type: "play", id: "c1" });
    commands.answer({ type: "refused", id: "c1", problem: { kind: "wrong-turn", sentence: "no", faults: [] } });
    await expect(play).rejects.toMatchObject({ kind: "wrong-turn", message: "no" });
});

test("an unanswered command is resent with the same id, before new ones, and resolves once", async () => {
    const [commands, first, second] = [made(), connection(), connection()];
    commands.attach(first);
    const one = commands.do({ type: "play", id: "c1" });
    commands.detach();
    const two = commands.do({ type: "chat", id: "c2" });
    commands.attach(second);
    expect(second.sent.map(({ id }) => id)).toEqual(["c1", "c2"]);
    commands.answer(done("c1", 3));
    commands.answer(done("c1", 9)); // a late answer to the first attempt
    commands.answer(done("c2", 3));
    expect((await one).revision).toBe(3);
    await two;
});

test("a connection that does not answer is renewed", async () => {
    const [commands, link] = [made(), connection()];
    commands.attach(link);
    void commands.do({ type: "play", id: "c1" });
    await vi.advanceTimersByTimeAsync(PATIENCE - 1);
    expect(link.renewed).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(link.renewed).toBe(1);
});

test("without a connection, HTTP is tried repeatedly with the same id", async () => {
    const asked: string[] = [];
    let reachable = false;
    const commands = made(({ id }) => {
        asked.push(id);
        return reachable ? Promise.resolve(done(id, 5)) : Promise.reject(new ApiProblem("offline", "", 0));
    });
    const play = commands.do({ type: "play", id: "c1" });
    await vi.advanceTimersByTimeAsync(FALLBACK);
    expect(asked).toEqual(["c1"]);
    reachable = true;
    await vi.advanceTimersByTimeAsync(FALLBACK);
    expect((await play).revision).toBe(5);
    expect(asked).toEqual(["c1", "c1"]);
});

test("a command that is refused over HTTP rejects, too", async () => {
    const commands = made(() => Promise.reject(new ApiProblem("stale-revision", "", 409)));
    const play = commands.do({ type: "play", id: "c1" });
    const refused = expect(play).rejects.toMatchObject({ kind: "stale-revision" });
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
    const waiting = commands.do({ type: "play", id: "c1" });
    commands.detach(true);
    expect((await waiting).revision).toBe(5);
    expect((await commands.do({ type: "play", id: "c2" })).revision).toBe(5);
    expect(asked).toEqual(["c1", "c2"]);
});
