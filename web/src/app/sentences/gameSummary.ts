import type { GameSummary, Outcome, Seat, Seats, TribeName } from "../../lib/client";
import { t } from "../../lib/i18n";
import { levelName } from "../../lib/levels";
import { endReason } from "./endReason";

/** Whether a person is playing against the computer. */
export function againstComputer(seats: Seats): boolean {
    return seats.forest.kind !== seats.sea.kind;
}

/** Who plays a tribe: "You", "Anna", "Menhir, level 4". In an online game, `you` lists this player's tribes. */
export function seatText(seats: Seats, tribe: TribeName, you: readonly TribeName[] = []): string {
    const seat: Seat = seats[tribe];
    if (seat.kind === "computer")
        return t("games.seat.computer", { level: seat.level, name: levelName(seat.level ?? 1) });
    if (you.includes(tribe)) return t("games.seat.you");
    if (seat.name) return seat.name;
    return againstComputer(seats) ? t("games.seat.you") : t(`games.tribe.${tribe}`);
}

/** How a game ended: "Forest won with three megaliths". */
export function outcomeText({ winner, reason }: Outcome): string {
    const known = endReason(reason) ?? "";
    return winner === null ? t("games.drawn", { reason: known }) : t("games.won", { tribe: winner, reason: known });
}

/** The state of a game, in a few words. */
export function stateText(game: Pick<GameSummary, "seats" | "decider" | "outcome" | "you">): string {
    if (game.outcome) return outcomeText(game.outcome);
    if (game.decider === null || game.decider === "chance") return t("games.running");
    if (game.you.includes(game.decider)) return t("games.your-turn");
    if (!againstComputer(game.seats)) return t("games.decides", { tribe: game.decider });
    return game.seats[game.decider].kind === "person" ? t("games.your-turn") : t("games.computers-turn");
}
