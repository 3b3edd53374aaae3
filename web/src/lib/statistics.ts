/** Statistics about a player's own games: results by opponent and by variant, average length, and streaks. */
import type { GameSummary } from "./client";
import { asLevel, LEVELS, type Level } from "./levels";
import { opponentOf, ownTribe } from "./people";
import { VARIANTS, type Variant } from "./settings.svelte";

export interface Tally {
    won: number;
    lost: number;
    drawn: number;
}

export interface Statistics {
    /** The number of games that count. */
    games: number;
    total: Tally;
    /** Games against the computer, for each level. */
    levels: Readonly<Record<Level, Tally>>;
    /** Online games against people. */
    people: Tally;
    variants: Readonly<Record<Variant, Tally>>;
    /** The mean number of turns, rounded; `null` if there are no games. */
    averageTurns: number | null;
    /** How many of the latest games were won in a row. A draw ends a streak. */
    streak: number;
    bestStreak: number;
}

type Finished = Pick<GameSummary, "seats" | "you" | "outcome" | "variant" | "turns" | "changed">;

/**
 * The statistics about the games in a list. Games that are still running, games in which the player's tribe is unknown,
 * and games from a custom position (without a variant) do not count.
 */
export function statisticsOf(list: readonly Finished[]): Statistics {
    const total = none();
    const people = none();
    const levels = tallies(LEVELS);
    const variants = tallies(VARIANTS);
    let turns = 0;
    let streak = 0;
    let bestStreak = 0;
    let games = 0;
    for (const game of [...list].sort((one, other) => one.changed.localeCompare(other.changed))) {
        const mine = ownTribe(game);
        if (!game.outcome || !game.variant || !mine) continue;
        const { winner } = game.outcome;
        const result: keyof Tally = winner === null ? "drawn" : winner === mine ? "won" : "lost";
        const opponent = game.seats[opponentOf(mine)];
        const against = opponent.kind === "computer" ? levels[asLevel(opponent.level ?? 1)] : people;
        for (const tally of [total, against, variants[game.variant]]) tally[result] += 1;
        streak = result === "won" ? streak + 1 : 0;
        bestStreak = Math.max(bestStreak, streak);
        turns += game.turns;
        games += 1;
    }
    const averageTurns = games > 0 ? Math.round(turns / games) : null;
    return { games, total, levels, people, variants, averageTurns, streak, bestStreak };
}

/** The levels that the player has beaten at least once. */
export function beatenLevels({ levels }: Pick<Statistics, "levels">): ReadonlySet<Level> {
    return new Set(LEVELS.filter((level) => levels[level].won > 0));
}

/** The level above the highest beaten level; `null` if the highest level has been beaten. */
export function nextToBeat(beaten: ReadonlySet<Level>): Level | null {
    return LEVELS.find((level) => level > Math.max(0, ...beaten)) ?? null;
}

function none(): Tally {
    return { won: 0, lost: 0, drawn: 0 };
}

function tallies<Key extends string | number>(keys: readonly Key[]): Record<Key, Tally> {
    return Object.fromEntries(keys.map((key) => [key, none()])) as Record<Key, Tally>;
}
