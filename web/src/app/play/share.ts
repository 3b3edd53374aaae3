/** Shares the record of a game and links to its positions. */
import { otherTribe } from "@cairn/board/position";

import type { GameView, NewGame, NewSeat } from "../../lib/client";
import { copyText } from "../../lib/clipboard";
import { t } from "../../lib/i18n";
import { LEVELS, type Level } from "../../lib/levels";
import { notify } from "../../lib/notices.svelte";
import { reportProblem } from "../../lib/problems";
import { positionAddress, shareAddress } from "../../lib/router.svelte";

/** The position at the start of the turn that contains step `at`. Only these positions can be set up. */
export function turnStart(game: GameView, at: number): string {
    const { steps } = game;
    let count = Math.min(at, steps.length);
    const running = count < steps.length ? steps[count]?.turn : game.now.turn;
    const begins = count === 0 || (steps[count - 1]?.turn !== running && !(count === steps.length && game.now.outcome));
    if (!begins) {
        const turn = steps[count - 1]?.turn;
        while (count > 0 && steps[count - 1]?.turn === turn) count -= 1;
    }
    return count > 0 ? (steps[count - 1]?.position ?? game.start) : game.start;
}

async function copy(text: string | Promise<string>, done: string): Promise<void> {
    try {
        if (await copyText(text)) notify({ kind: "info", text: done });
        else notify({ kind: "error", text: t("play.copy.failed") });
    } catch (problem) {
        reportProblem(problem);
    }
}

export function copyRecord(record: Promise<string>): Promise<void> {
    return copy(record, t("play.record.copied"));
}

export function copyPositionLink(game: GameView, at: number): Promise<void> {
    const link = shareAddress(positionAddress("/position", "p", turnStart(game, at)));
    return copy(link, t("play.position.shared"));
}

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
