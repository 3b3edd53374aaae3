/**
 * Pointing at a choice, one pick after another.
 *
 * A choice comes with the paths of picks that lead to it. What has been picked so far is the beginning of some paths;
 * what continues it can be picked next; a whole path is a token. No rule of the game is known here.
 */
import type { Choice } from "./client";

/** A space (`c3`), `village:sea`, `slot:0`, `tile:jump`, `button:pass` or `button:stop`. */
export type Pick = string;

export type Picked =
    | { kind: "more"; picks: Pick[] }
    | { kind: "token"; token: string; picks: Pick[] }
    | { kind: "cancelled"; picks: Pick[] }
    | { kind: "refused"; picks: Pick[] };

function startsWith(path: readonly Pick[], picks: readonly Pick[]): boolean {
    return picks.length <= path.length && picks.every((pick, index) => path[index] === pick);
}

/** The picks that continue `picks`, each with the choices that it leads towards. */
export function nextPicks(choices: readonly Choice[], picks: readonly Pick[]): Map<Pick, Choice[]> {
    const next = new Map<Pick, Choice[]>();
    for (const choice of choices) {
        for (const path of choice.paths) {
            const pick = path[picks.length];
            if (pick === undefined || !startsWith(path, picks)) continue;
            const there = next.get(pick) ?? [];
            if (!there.includes(choice)) next.set(pick, [...there, choice]);
        }
    }
    return next;
}

/** The choice that `picks` point at completely, if they do. */
export function completed(choices: readonly Choice[], picks: readonly Pick[]): Choice | undefined {
    return choices.find((choice) =>
        choice.paths.some((path) => path.length === picks.length && startsWith(path, picks)),
    );
}

/** Whether `picks` are the beginning of some path. */
export function isBeginning(choices: readonly Choice[], picks: readonly Pick[]): boolean {
    return choices.some((choice) => choice.paths.some((path) => startsWith(path, picks)));
}

/**
 * The picks that need no asking, because every path begins with them and does not end there: the Menhir of the Dancers
 * always moves the shaman that stands on it. Buttons stay on offer beside them.
 */
export function forcedPicks(choices: readonly Choice[]): Pick[] {
    const picks: Pick[] = [];
    for (;;) {
        const ways = [...nextPicks(choices, picks).keys()].filter((pick) => !pick.startsWith("button:"));
        const only = ways.length === 1 ? ways[0] : undefined;
        if (only === undefined || completed(choices, [...picks, only])) return picks;
        picks.push(only);
    }
}

/**
 * What picking `pick` means after `picks`: it goes on; or it takes back a pick made before, when it is the same; or it
 * stands in the place of the last pick that it can replace (another shaman, another tile); or it is refused.
 */
export function pickNext(choices: readonly Choice[], picks: readonly Pick[], pick: Pick): Picked {
    const again = picks.lastIndexOf(pick);
    for (let kept = picks.length; kept >= 0; kept--) {
        if (kept === again) {
            const left = picks.slice(0, again);
            const forced = forcedPicks(choices);
            return { kind: "cancelled", picks: left.length < forced.length ? forced : left };
        }
        const tried = [...picks.slice(0, kept), pick];
        const whole = completed(choices, tried);
        if (whole) return { kind: "token", token: whole.token, picks: tried };
        if (isBeginning(choices, tried)) return { kind: "more", picks: tried };
    }
    return { kind: "refused", picks: [...picks] };
}

/** Everything that a pick would do something with now: what goes on from `picks`, and what can be picked instead. */
export function openPicks(choices: readonly Choice[], picks: readonly Pick[]): Set<Pick> {
    const open = new Set<Pick>();
    for (let kept = picks.length; kept >= 0; kept--) {
        for (const pick of nextPicks(choices, picks.slice(0, kept)).keys()) open.add(pick);
    }
    return open;
}

/** The choices that `picks` can still become. */
export function reachable(choices: readonly Choice[], picks: readonly Pick[]): Choice[] {
    return choices.filter((choice) => choice.paths.some((path) => startsWith(path, picks)));
}
