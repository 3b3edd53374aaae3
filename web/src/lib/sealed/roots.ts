/**
 * Stores the secrets of this browser's games with sealed draws: the root of each chain, and what the server showed when
 * each link was revealed. Every value has its own key, so that two tabs cannot overwrite each other's changes.
 */
import type { TribeName, VariantName } from "../client";
import { localStore, readJson, store, storedKeys } from "../storage";

const ROOT = "cairn.root.";
const SHOWN = "cairn.shown.";
const PROBE = "cairn.probe";
/** How many finished games to remember what was shown for, so that their draws can be verified again. */
const MOST_ENDED = 200;
/** In milliseconds, longer than any game: 120 turns with the longest clock, 30 days per turn. */
const LONGEST_GAME = 120 * 30 * 86_400_000;

/** A root, and the terms of the challenge to which its anchor was added. */
export interface HeldRoot {
    game: string;
    root: string;
    commitment: string;
    variant: VariantName;
    /** Our tribe; `null` if a toss decides it. */
    tribe: TribeName | null;
    /** Who goes first; `null` if a toss decides it. */
    first: TribeName | null;
    /** Whether we created the challenge. */
    made: boolean;
    /** When the root was created. */
    created: number;
    /** Whether the game is over. */
    ended?: boolean;
}

/** Whether the browser allows us to store a secret. */
export function canStore(): boolean {
    const can = store(PROBE, PROBE);
    localStore.removeItem(PROBE);
    return can;
}

/** Store a root. Returns whether the browser has stored it. */
export function keepRoot(anchor: string, held: HeldRoot): boolean {
    prune();
    return store(ROOT + anchor, JSON.stringify(held));
}

export function rootOf(anchor: string): HeldRoot | null {
    const held = readJson(localStore, ROOT + anchor) as HeldRoot | null;
    return typeof held?.root === "string" ? held : null;
}

/** The root that was created for a challenge earlier, or the newest one if there are several. */
export function rootFor(game: string, commitment: string): HeldRoot | null {
    const found = roots().filter(([, held]) => held.game === game && held.commitment === commitment);
    return found.at(-1)?.[1] ?? null;
}

/** Note that a game is over. Its root is no longer needed. */
export function endRoots(game: string): void {
    for (const [anchor, held] of roots())
        if (held.game === game && !held.ended) store(ROOT + anchor, JSON.stringify({ ...held, ended: true }));
}

/** Delete the root of a challenge that was withdrawn. */
export function forgetRoots(game: string): void {
    for (const [anchor, held] of roots()) if (held.game === game) forget(anchor);
}

/** A hash of what was shown when a link was revealed; `null` if the link has not been revealed. */
export function shownFor(anchor: string, link: number): string | null {
    return localStore.getItem(`${SHOWN}${anchor}.${link}`);
}

/** Store what was shown when a link is revealed. Returns whether the browser has stored it. */
export function keepShown(anchor: string, link: number, shown: string): boolean {
    return store(`${SHOWN}${anchor}.${link}`, shown);
}

/** All roots with their anchors, oldest first. */
function roots(): [string, HeldRoot][] {
    const anchors = storedKeys(ROOT).map((key) => key.slice(ROOT.length));
    const found = anchors.flatMap((anchor): [string, HeldRoot][] => {
        const held = rootOf(anchor);
        return held ? [[anchor, held]] : [];
    });
    return found.sort(([, one], [, other]) => one.created - other.created);
}

/** Delete old roots. A root whose game may still be running is kept, because the game is lost without it. */
function prune(): void {
    const all = roots();
    const ended = all.filter(([, held]) => held.ended).slice(0, -MOST_ENDED);
    const outdated = all.filter(([, { created }]) => created < Date.now() - LONGEST_GAME);
    for (const [anchor] of [...ended, ...outdated]) forget(anchor);
}

function forget(anchor: string): void {
    for (const key of [ROOT + anchor, ...storedKeys(`${SHOWN}${anchor}.`)]) localStore.removeItem(key);
}
