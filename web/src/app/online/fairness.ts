/**
 * Verifies in the browser that the toss, the starting position and all draws of a game follow from the server's
 * commitment, as docs/fairness.md specifies. The only inputs from the server are the commitment, the seed, the numbers
 * and the steps.
 */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes } from "@noble/hashes/utils.js";

import type { GameView, TribeName } from "../../lib/client";
import { isSealed, type ProofView } from "../../lib/online";
import { FACES, parsePosition, TILES } from "@cairn/board/position";
import { BEGINNER_STARTS, MEGALITH_SETS } from "@cairn/board/tiles";
import { bytesOf, drawShown, field, LINKS, linksTo, startShown, UNKNOWN_START, utf8 } from "../../lib/sealed/links";
import { shownFor } from "../../lib/sealed/roots";
import { hex, type HeldSeat } from "../../lib/seats";

export type Verdict = "right" | "wrong" | "open";

export interface Finding {
    what: "commitment" | "numbers" | "own" | "tribes" | "start" | "draws" | "links" | "revealed";
    verdict: Verdict;
    /** The number of the first wrong draw or, if all are right, how many draws there were. */
    n?: number;
}

const right = (fine: boolean): Verdict => (fine ? "right" : "wrong");

/** The megaliths on the stone circles at the start of a beginner game (S2), from left to right. */
const BEGINNERS = Object.keys(BEGINNER_STARTS);

export function commitmentOf(seed: string, game: string): string {
    const content = concatBytes(utf8("cairn commitment 1\n"), field(bytesOf(seed)), field(utf8(game)));
    return hex(sha256(content));
}

/**
 * The key of a game. `terms` are the variant and the letters of `first` and `tossed`; version 1 omits them. With sealed
 * draws, each round has its own key, which also depends on the `links` that the seats revealed for that round.
 */
export function keyOf(
    seed: string,
    forest: string,
    sea: string,
    game: string,
    terms?: readonly string[],
    links: readonly string[] = [],
): Uint8Array {
    const tag = utf8(`cairn key ${links.length > 0 ? 3 : terms ? 2 : 1}\n`);
    const texts = [game, ...(terms ?? [])].map((text) => field(utf8(text)));
    const secrets = links.map((link) => field(bytesOf(link)));
    const numbers = [field(bytesOf(forest)), field(bytesOf(sea))];
    return hmac(sha256, bytesOf(seed), concatBytes(tag, ...numbers, ...texts, ...secrets));
}

/** The links that both players have revealed; `null` for a player whose last link does not lead to the anchor. */
function revealedLinks({ id }: GameView, proof: ProofView): [string[] | null, string[] | null] {
    return [linksTo(proof.forest_link, proof.forest_number, id), linksTo(proof.sea_link, proof.sea_number, id)];
}

/** The keys of the starting position and of each draw that involves chance. Without sealed draws, there is one key. */
function keysOf(game: GameView, proof: ProofView): (round: number) => Uint8Array | null {
    const { seed, forest_number: forest, sea_number: sea } = proof;
    const terms = proof.version === 1 ? undefined : [game.variant ?? "", letter(proof.first), letter(proof.tossed)];
    if (!isSealed(proof)) {
        const key = keyOf(seed ?? "", forest, sea, game.id, terms);
        return () => key;
    }
    const [forests, seas] = revealedLinks(game, proof);
    return (round) => {
        const links = [forests?.[round], seas?.[round]].filter((link) => link !== undefined);
        return links.length === 2 ? keyOf(seed ?? "", forest, sea, game.id, terms, links) : null;
    };
}

/** The letter of a tribe in a record. */
const letter = (tribe: TribeName | null | undefined): string => (tribe ? { forest: "F", sea: "S" }[tribe] : "");

/** A stream of numbers for one purpose, derived from successive hash blocks. */
class Source {
    #block = 0;

    constructor(
        readonly key: Uint8Array,
        readonly purpose: string,
    ) {}

    /** A number from 0 to `bound - 1`. */
    below(bound: number): number {
        const bits = bound.toString(2).length;
        for (;;) {
            const block = hmac(sha256, this.key, utf8(`${this.purpose} ${this.#block++}`));
            const number = new DataView(block.buffer).getUint32(0) >>> (32 - bits);
            if (number < bound) return number;
        }
    }
}

/** The starting position that follows from the key. */
export function dealt(key: Uint8Array, variant: keyof typeof MEGALITH_SETS, first: TribeName | null): string {
    const source = new Source(key, "deal");
    let tiles: string[] = [...MEGALITH_SETS[variant]];
    for (let last = tiles.length - 1; last > 0; last -= 1) {
        const other = source.below(last + 1);
        [tiles[last], tiles[other]] = [tiles[other] ?? "", tiles[last] ?? ""];
    }
    if (variant === "beginner") tiles = [...BEGINNERS, ...tiles.filter((tile) => !BEGINNERS.includes(tile))];
    let faces = "";
    for (const tile of TILES) faces += FACES[tile][source.below(2)];
    const tossed = "FS"[source.below(2)];
    const begins = first ? letter(first) : tossed;
    const [left, right, ...rest] = tiles;
    const deck = rest.slice(2).sort().join("");
    return `S1S1S/5/5/5/F1F1F b3${left},d3${right} ${rest.slice(0, 2).join("")} (${deck}) ${faces} 0-0 ${begins}`;
}

/** Both numbers, the challenger's first; `tossed` is the challenger's tribe. */
const numbers = ({ tossed, forest_number: forest, sea_number: sea }: ProofView): [string, string] =>
    tossed === "sea" ? [sea, forest] : [forest, sea];

/** The tribe that the challenger gets from the toss. */
function toss(proof: ProofView, game: string): TribeName {
    const key = keyOf(proof.seed ?? "", ...numbers(proof), game);
    return new Source(key, "tribes").below(2) === 0 ? "forest" : "sea";
}

interface Draws {
    /** The number of the first wrong draw, or 0. */
    wrong: number;
    n: number;
    /** For each draw that involves chance, how many steps came before it. */
    byChance: number[];
}

function checkedDraws(keyOfRound: (round: number) => Uint8Array | null, game: GameView): Draws {
    const draws: Draws = { wrong: 0, n: 0, byChance: [] };
    let before = game.start;
    for (const [index, { token, by, position }] of game.steps.entries()) {
        if (by === "chance") {
            const { unknown, known } = parsePosition(before).deck;
            const tiles = unknown.length > 0 ? [...unknown].sort() : known.slice(0, 1);
            const isChance = tiles.length > 1;
            const key = isChance ? keyOfRound(draws.byChance.push(index)) : null;
            const expected = key ? tiles[new Source(key, `draw ${draws.n}`).below(tiles.length)] : tiles[0];
            draws.n += 1;
            if ((isChance && !key) || token !== `?${expected}`) draws.wrong ||= draws.n;
        }
        before = position;
    }
    return draws;
}

/** With sealed draws: whether no player revealed a link too early, and whether our own links were used as intended. */
function checkedLinks(game: GameView, proof: ProofView, { byChance }: Draws): Finding[] {
    if (!isSealed(proof)) return [];
    const counts = revealedLinks(game, proof).map((links) => links?.length ?? -1);
    const [fewest, most] = [Math.min(...counts), Math.max(...counts)];
    const needed = fewest > 0 ? byChance.length + 1 : 0;
    // If a game ends while a draw is waiting, one player may have revealed one more link than the other.
    const findings: Finding[] = [{ what: "links", verdict: right(fewest === needed && most <= needed + 1) }];
    const tokens = game.steps.map(({ token }) => token);
    // The last one is for a draw that the end of the game prevented.
    const draws = [...byChance, tokens.length].map((count) => drawShown(game.start, tokens.slice(0, count)));
    const used = [startShown(proof.commitment, proof.forest_number, proof.sea_number), ...draws];
    for (const anchor of [proof.forest_number, proof.sea_number]) {
        // What this browser was shown when it revealed its links; nothing for the other player's links.
        const shown = Array.from({ length: LINKS }, (_, index) => shownFor(anchor, index + 1));
        if (shown.every((each) => each === null)) continue;
        const isUsed = shown.every((each, index) => each === null || each === used[index]);
        findings.push({ what: "revealed", verdict: right(isUsed) });
    }
    return findings;
}

/** Whether the proof contains the values that this browser received and sent, and the terms of the challenge. */
function isAsAgreed(proof: ProofView, { commitment, number, agreed }: HeldSeat): boolean {
    const [makers, others] = numbers(proof);
    if (proof.commitment !== commitment || (number !== makers && number !== others)) return false;
    if (!agreed) return true; // The seat is from a version that did not store the terms.
    const sameMaker = !proof.tossed || agreed.made === (number === makers);
    const sameSeal = (agreed.sealed ?? false) === isSealed(proof);
    return sameMaker && sameSeal && agreed.tossed === Boolean(proof.tossed) && agreed.first === proof.first;
}

/** Check a finished game. `held` contains the values that this browser received and sent before the game started. */
export function check(game: GameView, held: HeldSeat | null): Finding[] {
    const { proof, variant } = game;
    if (!proof?.seed || !variant) return [{ what: "commitment", verdict: "open" }];
    const { seed, commitment, forest_number: forest, sea_number: sea } = proof;
    const keyOfRound = keysOf(game, proof);
    const key = keyOfRound(0);
    const start = key ? dealt(key, variant, proof.first) : game.steps.length === 0 ? UNKNOWN_START : "";
    const draws = checkedDraws(keyOfRound, game);
    const findings: Finding[] = [
        { what: "commitment", verdict: right(commitment === commitmentOf(seed, game.id)) },
        { what: "numbers", verdict: forest || sea ? "right" : "open" },
        ...(proof.tossed ? [{ what: "tribes" as const, verdict: right(toss(proof, game.id) === proof.tossed) }] : []),
        { what: "start", verdict: right(game.start === start) },
        { what: "draws", verdict: right(draws.wrong === 0), n: draws.wrong || draws.n },
        ...checkedLinks(game, proof, draws),
    ];
    // If the server never confirmed our number, the game may have started between other players, without our number.
    if (held?.number && (!held.unanswered || game.you.length > 0)) {
        findings.push({ what: "own", verdict: right(isAsAgreed(proof, held)) });
    }
    return findings;
}

/** Wrong if any finding is wrong, else open if any is open, else right. */
export function overall(findings: readonly Finding[]): Verdict {
    const found = (verdict: Verdict): boolean => findings.some((finding) => finding.verdict === verdict);
    return found("wrong") ? "wrong" : found("open") || findings.length === 0 ? "open" : "right";
}
