/** The requests for another game after this one. */
import { otherTribe } from "@cairn/board/position";

import type { GameView, NewGame, NewSeat } from "../../lib/client";
import { LEVELS, type Level } from "../../lib/levels";

/** The request for a rematch: the same game with the sides swapped. */
export function rematchOf(game: GameView): NewGame {
    const { variant, seats, start } = game;
    return {
        seats: { forest: seats.sea, sea: seats.forest },
        ...(variant ? { variant } : { position: start }),
    };
}

/** The request to play the same game again, with the same tribes. */
export function replayOf({ variant, seats, start }: GameView): NewGame {
    return { seats, ...(variant ? { variant } : { position: start }) };
}

/**
 * The request for a game against the next level, with the same tribes; `null` if the person has not won, if there is no
 * higher level, or if the game started from a custom position, which says little about a level.
 */
export function nextLevelOf(game: GameView): { level: Level; request: NewGame } | null {
    const { seats, variant } = game;
    const { winner } = game.now.outcome ?? {};
    const loser = winner && otherTribe(winner);
    if (!winner || !loser || !variant || seats[winner].kind !== "person" || seats[loser].kind !== "computer")
        return null;
    const level = LEVELS.find((one) => one > (seats[loser].level ?? 1));
    if (!level) return null;
    const computer: NewSeat = { kind: "computer", level };
    return { level, request: { variant, seats: { ...seats, [loser]: computer } } };
}
