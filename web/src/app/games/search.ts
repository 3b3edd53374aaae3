import type { GameSummary } from "../../lib/client";
import { t } from "../../lib/i18n";
import { LEVELS, levelName } from "../../lib/levels";
import { TRIBES } from "@cairn/board/position";
import { VARIANTS } from "../../lib/settings.svelte";
import { seatText } from "../sentences/gameSummary";

const MOST_WORDS = 8;

/** Whether a string is a position rather than a record. A position has seven words, and the first has five rows. */
export function looksLikePosition(text: string): boolean {
    const words = text.trim().split(/\s+/);
    return words.length === 7 && (words[0]?.split("/").length ?? 0) === 5;
}

/** Words on the game cards, each with the server's search term for it. */
function searchTerms(): (readonly [label: string, term: string])[] {
    return [
        ...LEVELS.map((level) => [levelName(level), `level:${level}`] as const),
        ...VARIANTS.map((variant) => [t(`games.variant.${variant}`), variant] as const),
        ...TRIBES.map((tribe) => [t(`games.tribe.${tribe}`), `unnamed:${tribe}`] as const),
        [t("games.variant.setup"), "position"],
        [t("games.seat.you"), "computer"],
        [t("games.new.level"), "level"],
    ];
}

/**
 * Build the search text for the server: each typed word and, as alternatives, the search terms of all words on game
 * cards that start with it. Players can search for the words on the cards in any language, even before they have typed
 * them in full.
 */
export function searchWords(text: string): string {
    const typed = text.toLocaleLowerCase().split(/[\s|,]+/);
    const all = searchTerms().map(([label, term]) => [label.toLocaleLowerCase().split(" "), term] as const);
    return typed
        .filter(Boolean)
        .slice(0, MOST_WORDS)
        .map((one) => [
            one,
            ...all.filter(([label]) => label.some((word) => word.startsWith(one))).map(([, term]) => term),
        ])
        .map((either) => [...new Set(either)].join("|"))
        .join(" ");
}

export interface Filters {
    search: string;
    state: string;
    variant: string;
}

/** Whether a game on this device matches the filters. The server filters its own games. */
export function matches(game: GameSummary, { search, state, variant }: Filters): boolean {
    if (state !== "" && (state === "finished") !== (game.outcome !== null)) return false;
    if (variant !== "" && game.variant !== variant) return false;
    const kind = game.variant ? t(`games.variant.${game.variant}`) : t("games.variant.setup");
    const text = [...TRIBES.map((tribe) => seatText(game.seats, tribe)), kind, t("games.device.mark")].join(" ");
    const words = search.toLocaleLowerCase().split(/[\s|,]+/);
    return words.every((word) => text.toLocaleLowerCase().includes(word));
}
