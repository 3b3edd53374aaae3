import { beforeEach, describe, expect, test, vi } from "vitest";

import { me } from "./me.svelte";
import type { ChallengeView } from "./online";
import { keepSeat, seatOf } from "./seats";
import { serve, Status } from "../test/server";
import { accept, addNumber, challenge as create, rematch, withdraw } from "./challenges";
import { rootOf } from "./sealed/roots";

const challenge = { id: "c", commitment: "c0", tribe: null, first: null } as ChallengeView;
const ACCEPT = "POST /api/challenges/c/accept";
const NUMBER = "PUT /api/challenges/c/number";
const begun = (seat: string | null) => ({ game: { id: "c" }, seat });
const refusal = (status: number, kind: string) => new Status(status, { kind, sentence: "", faults: [] });

/**
 * Fake a server that sends these responses in order; an error stands for a lost response. The result lists the numbers
 * that the server has received.
 */
function answering(way: string, ...answers: unknown[]) {
    const asked = serve({
        [way]: () => {
            const answer = answers.shift();
            if (answer instanceof Error) throw answer;
            return answer;
        },
    });
    return () => asked.map(({ body }) => (body as { number: string }).number);
}

const lost = new Error("no response");

beforeEach(() => {
    localStorage.clear();
    me.set({ player: { id: "b", kind: "account", name: "Ben" }, admin: false, muted: false });
    return () => {
        me.set(null);
        vi.unstubAllGlobals();
    };
});

test("accepting a challenge stores the number and the seat token", async () => {
    const numbers = answering(ACCEPT, begun("token"));
    expect(await accept(challenge, null)).toBe("c");
    expect(numbers()).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(seatOf("c")).toMatchObject({ token: "token", commitment: "c0", number: numbers()[0], unanswered: false });
});

test("accepting is retried with the same number if the response was lost", async () => {
    const numbers = answering(ACCEPT, lost, refusal(429, "too-many"), begun(null));
    for (const kind of ["offline", "too-many"]) {
        await expect(accept(challenge, null)).rejects.toMatchObject({ kind });
        expect(seatOf("c")).toMatchObject({ number: numbers()[0], unanswered: true });
    }
    await accept(challenge, null);
    expect(new Set(numbers()).size).toBe(1);
    expect(seatOf("c")).toMatchObject({ number: numbers()[0], unanswered: false });
});

test("a number is deleted if the challenge was accepted in another tab or by somebody else", async () => {
    const numbers = answering(ACCEPT, begun(null), lost, refusal(409, "challenge-gone"));
    await accept(challenge, null);
    expect(seatOf("c")?.number).toBe("");
    await expect(accept(challenge, null)).rejects.toMatchObject({ kind: "offline" });
    expect(seatOf("c")?.number).toBe(numbers()[1]);
    await expect(accept(challenge, null)).rejects.toMatchObject({ kind: "challenge-gone" });
    expect(seatOf("c")?.number).toBe("");
});

test("a new number is generated if the commitment has changed", async () => {
    keepSeat("c", { token: null, commitment: "c1", number: "aa" });
    const numbers = answering(ACCEPT, begun("token"));
    await accept(challenge, null);
    expect(numbers()).not.toContain("aa");
});

test("two tabs of the challenger send the same number", async () => {
    keepSeat("c", { token: "token", commitment: "c0", number: "", invite: "i", waiting: true });
    const numbers = answering(NUMBER, challenge, challenge);
    await Promise.all([addNumber(challenge), addNumber(challenge)]);
    expect(numbers()).toHaveLength(2);
    expect(new Set(numbers()).size).toBe(1);
    expect(seatOf("c")).toMatchObject({ token: "token", number: numbers()[0], invite: "i", waiting: true });
});

describe("with sealed draws", () => {
    const sealed = { ...challenge, sealed: true, variant: "beginner" } as ChallengeView;
    const roots = () => Object.keys(localStorage).filter((key) => key.startsWith("cairn.root."));

    test("the root is stored before the anchor is sent", async () => {
        const stored: string[][] = [];
        const asked = serve({
            [ACCEPT]: () => {
                stored.push(roots());
                return begun("token");
            },
        });
        await accept(sealed, null);
        const { number } = asked[0]?.body as { number: string };
        expect(asked[0]?.body).toMatchObject({ sealed: true });
        expect(stored).toEqual([[`cairn.root.${number}`]]);
        expect(seatOf("c")).toMatchObject({ number, agreed: { sealed: true } });
    });

    test("accepting is retried with the same anchor if the response was lost", async () => {
        const numbers = answering(ACCEPT, lost, begun(null));
        await expect(accept(sealed, null)).rejects.toMatchObject({ kind: "offline" });
        await accept(sealed, null);
        expect(new Set(numbers()).size).toBe(1);
        expect(seatOf("c")).toMatchObject({ number: numbers()[0], unanswered: false });
    });

    test("nothing is sent if the browser cannot store the root", async () => {
        const asked = serve({});
        vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
            throw new DOMException("denied", "SecurityError");
        });
        for (const action of [accept(sealed, null), addNumber(sealed), create({ sealed: true }), rematch("g", true)]) {
            await expect(action).rejects.toMatchObject({ kind: "sealed-storage" });
        }
        expect(asked).toEqual([]);
        vi.restoreAllMocks();
    });
});

test("withdrawing a challenge deletes the secret of its sealed draws, but only once the server has agreed", async () => {
    const sealed = { ...challenge, sealed: true };
    const gone = [refusal(429, "too-many"), undefined];
    serve({ [NUMBER]: () => sealed, "DELETE /api/challenges/c": () => gone.shift() });
    await addNumber(sealed);
    const anchor = seatOf("c")?.number ?? "";
    await expect(withdraw("c")).rejects.toMatchObject({ kind: "too-many" });
    expect(rootOf(anchor)).not.toBeNull();
    await withdraw("c");
    expect(rootOf(anchor)).toBeNull();
    expect(seatOf("c")?.waiting).toBe(false);
});
