/**
 * Lets a player choose a token pick by pick. This code contains no game rules.
 *
 * Each choice lists the paths of picks that lead to it. The selection is a prefix of some of the paths. The next pick
 * must continue one of these paths. A complete path selects a token.
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

/** The picks that continue `picks`, each with the choices that it leads to. */
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

/** The choice for which `picks` are a complete path. */
export function completed(choices: readonly Choice[], picks: readonly Pick[]): Choice | undefined {
    return choices.find((choice) =>
        choice.paths.some((path) => path.length === picks.length && startsWith(path, picks)),
    );
}

/** Whether `picks` are a prefix of some path. */
export function isBeginning(choices: readonly Choice[], picks: readonly Pick[]): boolean {
    return choices.some((choice) => choice.paths.some((path) => startsWith(path, picks)));
}

/**
 * The picks at the start of every path, ignoring buttons. They are made automatically. For example, the Menhir of the
 * Dancers always moves the shaman on it.
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
 * The result of picking `pick` after `picks`. The new pick continues the path, cancels an identical earlier pick,
 * replaces the last pick that it can replace (such as another shaman or tile), or is refused.
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

/** Every pick that has an effect now: those that continue `picks`, and those that replace one of them. */
export function openPicks(choices: readonly Choice[], picks: readonly Pick[]): Set<Pick> {
    const open = new Set<Pick>();
    for (let kept = picks.length; kept >= 0; kept--) {
        for (const pick of nextPicks(choices, picks.slice(0, kept)).keys()) open.add(pick);
    }
    return open;
}

/** The choices that `picks` can still lead to. */
export function reachable(choices: readonly Choice[], picks: readonly Pick[]): Choice[] {
    return choices.filter((choice) => choice.paths.some((path) => startsWith(path, picks)));
}
