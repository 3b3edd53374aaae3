/** Shares the record of a game, links to its positions, and links to its analysis. */
import type { GameView } from "../../lib/client";
import { copyText } from "../../lib/clipboard";
import { t } from "../../lib/i18n";
import { packedIn } from "../../lib/ids";
import { notify } from "../../lib/notices.svelte";
import { reportProblem } from "../../lib/problems";
import { href, positionAddress, shareAddress } from "../../lib/router.svelte";

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

/** The link to the analysis board with a game. A game from a link is passed on in the link. */
export function analysisAddress(id: string, step?: number): string {
    const query = step ? `?step=${step}` : "";
    const packed = packedIn(id);
    if (packed !== null) return href(`/analysis${query}#${packed}`);
    return href(`/analysis?game=${encodeURIComponent(id)}${step ? `&step=${step}` : ""}`);
}
