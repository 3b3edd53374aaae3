/**
 * Decides which link this browser may reveal. The decision depends on the draws that the browser has seen, not on the
 * server's requests, because a link that is revealed too early would tell the server the result of a draw in advance.
 */
import type { GameView, TribeName } from "../client";
import { isSealed, type ProofView } from "../online";
import { opponentOf } from "../people";
import { seatOf } from "../seats";
import { drawShown, linkOf, startShown, UNKNOWN_START, unknownTiles } from "./links";
import { keepShown, rootOf, shownFor, type HeldRoot } from "./roots";

/**
 * The link to reveal now, or why there is none: no draw needs one, the root is missing, the server deceived us, or the
 * browser cannot store the purpose of the link.
 */
export type Due = { state: "link"; link: string } | { state: "none" | "missing" | "deceived" | "unstored" };

/**
 * The link that the start or a draw is waiting for. Before the link is returned, its purpose is stored. Without it, this
 * browser would take the next request for a link as an attempt to deceive it.
 */
export function due(game: GameView, tribe: TribeName): Due {
    const { proof, now } = game;
    if (!proof || !isSealed(proof) || now.outcome) return { state: "none" };
    const anchor = anchorOf(proof, tribe);
    const held = rootOf(anchor);
    if (!held || linkOf(held.root, 0, game.id) !== anchor) {
        const seat = seatOf(game.id);
        const replaced = Boolean(seat?.number) && !seat?.unanswered && seat?.number !== anchor;
        return { state: replaced ? "deceived" : "missing" };
    }
    if (!isAsAgreed(game, proof, held, tribe)) return { state: "deceived" };
    if (!now.owed.includes(tribe)) return { state: "none" };
    const awaited = awaitedLink(game, proof);
    if (!awaited) return { state: "deceived" };
    const { number, shown } = awaited;
    const before = shownFor(anchor, number);
    const isNext = number === 1 || shownFor(anchor, number - 1) !== null;
    if (before === null ? !isNext : before !== shown) return { state: "deceived" };
    if (before === null && !keepShown(anchor, number, shown)) return { state: "unstored" };
    return { state: "link", link: linkOf(held.root, number, game.id) };
}

/** The number of the link that is due according to our own count, and its purpose; `null` if no draw needs a link. */
function awaitedLink(game: GameView, proof: ProofView): { number: number; shown: string } | null {
    const tokens = game.steps.map(({ token }) => token);
    if (game.start === UNKNOWN_START && tokens.length === 0) {
        return { number: 1, shown: startShown(proof.commitment, proof.forest_number, proof.sea_number) };
    }
    const drawn = tokens.filter((token) => token.startsWith("?")).length;
    // Only draws take tiles whose order is unknown. When one such tile is left, its draw is certain and needs no link.
    const left = unknownTiles(game.start) - drawn;
    const isDraw = game.now.phase === "draw" && !game.now.held && left > 1;
    return isDraw ? { number: 2 + drawn, shown: drawShown(game.start, tokens) } : null;
}

/** Whether a game matches the terms of the challenge. */
function isAsAgreed(game: GameView, proof: ProofView, held: HeldRoot, tribe: TribeName): boolean {
    const tossed = held.tribe ? null : held.made ? tribe : opponentOf(tribe);
    const same = game.variant === held.variant && proof.commitment === held.commitment && proof.first === held.first;
    return same && (proof.tossed ?? null) === tossed && (held.tribe ?? tribe) === tribe;
}

const anchorOf = (proof: ProofView, tribe: TribeName): string =>
    tribe === "forest" ? proof.forest_number : proof.sea_number;
