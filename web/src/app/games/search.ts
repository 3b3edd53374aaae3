import { t } from "../../lib/i18n";
import { LEVELS, levelName } from "../../lib/levels";
import { TRIBES } from "@cairn/board/position";
import { VARIANTS } from "../../lib/settings.svelte";

const MOST_WORDS = 8;

/** Whether a text is a position and not a record: seven words, the first of them five rows. */
export function looksLikePosition(text: string): boolean {
    const words = text.trim().split(/\s+/);
    return words.length === 7 && (words[0]?.split("/").length ?? 0) === 5;
}

/** Words on the cards of games, each with the search term by which the server knows it. */
function signs(): (readonly [said: string, sign: string])[] {
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
 * The search text for the server: each word as typed, or the search term of a word on the cards that starts with it. So
 * people find what they read on a card, in their language, and while they are still typing.
 */
export function searchWords(text: string): string {
    const typed = text.toLocaleLowerCase().split(/[\s|,]+/);
    const all = signs().map(([said, sign]) => [said.toLocaleLowerCase().split(" "), sign] as const);
    return typed
        .filter(Boolean)
        .slice(0, MOST_WORDS)
        .map((one) => [
            one,
            ...all.filter(([said]) => said.some((word) => word.startsWith(one))).map(([, sign]) => sign),
        ])
        .map((either) => [...new Set(either)].join("|"))
        .join(" ");
}
