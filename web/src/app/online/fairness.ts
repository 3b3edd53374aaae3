/**
 * Whether the start and all draws of a game are those that the server had committed to, computed here, in the browser,
 * by docs/fairness.md. Nothing of it is the server's word but what it has to stand by: commitment, seed, numbers, steps.
 */
import type { GameView, TribeName } from "../../lib/client";
import { hex, type HeldSeat } from "../../lib/seats";
import { parsePosition } from "../../lib/position";

export type Verdict = "right" | "wrong" | "open";

export interface Finding {
    what: "commitment" | "numbers" | "own" | "start" | "draws";
    verdict: Verdict;
    /** How many draws there were; which one was wrong. */
    n?: number;
}

const BEGINNER = "CG CD CS PS AD DR MD SA";
const STANDARD = `${BEGINNER} TS SW FC HP MM SS`;
const TILES = { beginner: BEGINNER, standard: STANDARD, expert: `${STANDARD} WC SH HE` };
const FACES = ["wb", "od", "fe", "me"];

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

function bytesOf(text: string): Uint8Array {
    return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

function joined(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
    const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
        all.set(part, at);
        at += part.length;
    }
    return all;
}

/** The bytes after their length, as four bytes. */
function field(part: Uint8Array): Uint8Array {
    const length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, part.length);
    return joined(length, part);
}

async function hmac(key: Uint8Array, message: Uint8Array): Promise<Uint8Array> {
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    const imported = await crypto.subtle.importKey("raw", joined(key), algorithm, false, ["sign"]);
    return new Uint8Array(await crypto.subtle.sign("HMAC", imported, joined(message)));
}

export async function commitmentOf(seed: string, game: string): Promise<string> {
    const content = joined(utf8("cairn commitment 1\n"), field(bytesOf(seed)), field(utf8(game)));
    return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", content)));
}

export async function keyOf(seed: string, forest: string, sea: string, game: string): Promise<Uint8Array> {
    const message = joined(utf8("cairn key 1\n"), field(bytesOf(forest)), field(bytesOf(sea)), field(utf8(game)));
    return hmac(bytesOf(seed), message);
}

/** Numbers for one purpose, from one block after another. */
class Source {
    #block = 0;

    constructor(
        readonly key: Uint8Array,
        readonly purpose: string,
    ) {}

    /** A number from 0 to `bound - 1`. */
    async below(bound: number): Promise<number> {
        const bits = bound.toString(2).length;
        for (;;) {
            const block = await hmac(this.key, utf8(`${this.purpose} ${this.#block++}`));
            const number = new DataView(block.buffer).getUint32(0) >>> (32 - bits);
            if (number < bound) return number;
        }
    }
}

/** The start of a game, as the key gives it. */
export async function dealt(key: Uint8Array, variant: keyof typeof TILES, first: TribeName | null): Promise<string> {
    const source = new Source(key, "deal");
    let tiles = TILES[variant].split(" ");
    for (let last = tiles.length - 1; last > 0; last -= 1) {
        const other = await source.below(last + 1);
        [tiles[last], tiles[other]] = [tiles[other] ?? "", tiles[last] ?? ""];
    }
    if (variant === "beginner") tiles = ["CG", "CD", ...tiles.filter((tile) => tile !== "CG" && tile !== "CD")];
    let faces = "";
    for (const pair of FACES) faces += pair[await source.below(2)];
    const tossed = "FS"[await source.below(2)];
    const begins = first ? { forest: "F", sea: "S" }[first] : tossed;
    const [left, right, ...rest] = tiles;
    const deck = rest.slice(2).sort().join("");
    return `S1S1S/5/5/5/F1F1F b3${left},d3${right} ${rest.slice(0, 2).join("")} (${deck}) ${faces} 0-0 ${begins}`;
}

/** The first draw, counted from 1, that is not the one that had to come; 0 if there is none. And how many there were. */
async function wrongDraw(key: Uint8Array, game: GameView): Promise<{ wrong: number; n: number }> {
    let n = 0;
    let before = game.start;
    for (const { token, by, position } of game.steps) {
        if (by === "chance") {
            const { unknown, known } = parsePosition(before).deck;
            const tiles = unknown.length > 0 ? [...unknown].sort() : known.slice(0, 1);
            const expected = tiles[await new Source(key, `draw ${n}`).below(tiles.length || 1)];
            n += 1;
            if (token !== `?${expected}`) return { wrong: n, n };
        }
        before = position;
    }
    return { wrong: 0, n };
}

/** Whether this browser can check at all: the functions for it are given to pages that come by https only. */
export function canCheck(): boolean {
    return typeof crypto !== "undefined" && "subtle" in crypto;
}

/** Check everything about a game that is over. `held`: what this browser saw and added before it began. */
export async function check(game: GameView, held: HeldSeat | null): Promise<Finding[]> {
    const { proof, variant } = game;
    if (!proof?.seed || !variant) return [{ what: "commitment", verdict: "open" }];
    const { seed, commitment, forest_number: forest, sea_number: sea } = proof;
    const key = await keyOf(seed, forest, sea, game.id);
    const draws = await wrongDraw(key, game);
    const right = (fine: boolean): Verdict => (fine ? "right" : "wrong");
    const findings: Finding[] = [
        { what: "commitment", verdict: right(commitment === (await commitmentOf(seed, game.id))) },
        { what: "numbers", verdict: forest || sea ? "right" : "open" },
        { what: "start", verdict: right(game.start === (await dealt(key, variant, proof.first))) },
        { what: "draws", verdict: right(draws.wrong === 0), n: draws.wrong || draws.n },
    ];
    if (held?.number) {
        const own = held.commitment === commitment && (held.number === forest || held.number === sea);
        findings.push({ what: "own", verdict: right(own) });
    }
    return findings;
}

/** Wrong if anything is, else open if anything is, else right. */
export function overall(findings: readonly Finding[]): Verdict {
    const found = (verdict: Verdict): boolean => findings.some((finding) => finding.verdict === verdict);
    return found("wrong") ? "wrong" : found("open") || findings.length === 0 ? "open" : "right";
}
