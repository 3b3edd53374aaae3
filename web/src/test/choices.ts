/** Choices in the form of the server's, small enough to be read: for tests. */
import type { Choice } from "../lib/client";

/** A choice; each path is written with blanks between its picks. */
export function choice(token: string, paths: string[], more: Partial<Choice> = {}): Choice {
    return { token, tile: null, power: null, aim: "shaman", ...more, paths: paths.map((path) => path.split(" ")) };
}

/** An action by a tile, from the field to the field or out. */
export function action(tile: "move" | "jump", from: string, to: string): Choice {
    const token = `${from}-${to.startsWith("village:") ? "out" : to}`;
    return choice(token, [`${from} ${to}`, `tile:${tile} ${from} ${to}`], { tile });
}

export const ADD = choice("+d1", ["village:forest d1", "d1", "tile:add d1"], { tile: "add" });
