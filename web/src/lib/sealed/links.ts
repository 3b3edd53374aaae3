/** Chains of links for sealed draws, as docs/fairness.md specifies them, and the byte encodings that proofs share. */
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes } from "@noble/hashes/utils.js";

import { hex } from "../seats";

/** The number of links in a chain. */
export const LINKS = 16;
/** The position of a game with sealed draws until its start is drawn. */
export const UNKNOWN_START = "S1S1S/5/5/5/F1F1F - ---- - wofm 0-0 F";

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

export function bytesOf(text: string): Uint8Array {
    return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** Prefix bytes with their length, encoded in four bytes. */
export function field(part: Uint8Array): Uint8Array {
    const length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, part.length);
    return concatBytes(length, part);
}

/** The link that was revealed before this one, or the anchor if this is the first link. */
export function linkBefore(link: string, game: string): string {
    return hex(sha256(concatBytes(utf8("cairn link 1\n"), field(bytesOf(link)), field(utf8(game)))));
}

/** A link of the chain that ends with a root: 0 is the anchor, 1 is for the start, and 2 is for the first draw. */
export function linkOf(root: string, number: number, game: string): string {
    if (number < 0 || number > LINKS) throw new RangeError(`a chain has the links 0 to ${LINKS}, not ${number}`);
    let link = root;
    for (let at = LINKS; at > number; at -= 1) link = linkBefore(link, game);
    return link;
}

/** All links from the first to the last one, in order; `null` if they do not lead to the anchor. */
export function linksTo(last: string | null | undefined, anchor: string, game: string): string[] | null {
    if (!last) return [];
    const links = [last];
    for (let link = linkBefore(last, game); link !== anchor; link = linkBefore(link, game)) {
        if (links.unshift(link) > LINKS) return null;
    }
    return links;
}

/** A hash of what was shown when the link for the start was revealed. */
export function startShown(commitment: string, forest: string, sea: string): string {
    return hex(sha256(utf8([commitment, forest, sea].join(" "))));
}

/** A hash of what was shown when a link for a draw was revealed: the game so far. */
export function drawShown(start: string, tokens: readonly string[]): string {
    return hex(sha256(utf8([start, ...tokens].join(" "))));
}

/** How many tiles in a position's deck are in unknown order. */
export function unknownTiles(position: string): number {
    return (/\((\w*)\)/.exec(position)?.[1]?.length ?? 0) / 2;
}
