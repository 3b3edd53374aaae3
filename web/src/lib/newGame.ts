import type { NewGame, NewSeat, TribeName } from "./client";
import type { NewGameOptions } from "./settings.svelte";

export type Mode = "computer" | "two";

const LONGEST_NAME = 60;

/** The request for a new game. If the tribe is left to chance, `toss` chooses it; a result below ½ means Forest. */
export function newGameRequest(options: NewGameOptions, mode: Mode, toss: () => number = Math.random): NewGame {
    return { variant: options.variant, first: options.first, seats: seatsFor(options, mode, toss) };
}

/** The request for a game from a position. */
export function fromPosition(position: string, options: NewGameOptions, mode: Mode, toss?: () => number): NewGame {
    return { position, seats: seatsFor(options, mode, toss ?? Math.random) };
}

function seatsFor(options: NewGameOptions, mode: Mode, toss: () => number): NewGame["seats"] {
    if (mode === "two") return { forest: person(options.names.forest), sea: person(options.names.sea) };
    const mine: TribeName = options.tribe ?? (toss() < 0.5 ? "forest" : "sea");
    const computer: NewSeat = { kind: "computer", level: options.level };
    return mine === "forest" ? { forest: person(""), sea: computer } : { forest: computer, sea: person("") };
}

function person(name: string): NewSeat {
    const trimmed = name.trim().slice(0, LONGEST_NAME);
    return trimmed ? { kind: "person", name: trimmed } : { kind: "person" };
}
