/** Choices for tests, in the server's format but small enough to read. */
import type { Choice, Consequence } from "../lib/client";

/** A choice. The picks of each path are separated by spaces. */
export function choice(token: string, paths: string[], more: Partial<Choice> = {}): Choice {
    return { token, tile: null, power: null, aim: "shaman", ...more, paths: paths.map((path) => path.split(" ")) };
}

/** An action with a tile: from one space to another, or off the field. */
export function action(tile: "move" | "jump", from: string, to: string): Choice {
    const token = `${from}-${to.startsWith("village:") ? "out" : to}`;
    return choice(token, [`${from} ${to}`, `tile:${tile} ${from} ${to}`], { tile });
}

/** The consequence of a token. */
export function consequence(token: string, more: Partial<Consequence>): Consequence {
    return { token, effects: [], scorer: null, next: [], lines: [], transformations: [], ignored: false, ...more };
}

export const ADD = choice("+d1", ["village:forest d1", "d1", "tile:add d1"], { tile: "add" });
