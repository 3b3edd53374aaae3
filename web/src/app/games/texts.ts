import { t } from "../../lib/i18n";
import { LEVELS, levelName } from "../../lib/levels";

/** Whether a text is a position rather than a record: seven words, of which the first has the five rows. */
export function looksLikePosition(text: string): boolean {
    const words = text.trim().split(/\s+/);
    return words.length === 7 && (words[0]?.split("/").length ?? 0) === 5;
}

/** An address that carries a position: `/position?p=…`, `/setup?position=…`. */
export function positionAddress(path: string, name: string, position: string): string {
    const query = new URLSearchParams({ [name]: position }).toString();
    // These may stand in a query as they are, and people read addresses.
    return `${path}?${query.replaceAll("%2F", "/").replaceAll("%2C", ",").replaceAll("%28", "(").replaceAll("%29", ")")}`;
}

/**
 * What the server is asked to look for. It knows the names that people gave, but levels only by number: the name of a
 * level, and the word for it, are told to it so.
 */
export function searchWords(text: string): string {
    const wanted = text.trim().replace(/\s+/g, " ");
    const level = LEVELS.find((one) => levelName(one).toLocaleLowerCase() === wanted.toLocaleLowerCase());
    if (level) return `level ${level}`;
    const word = t("games.new.level").toLocaleLowerCase();
    return wanted
        .split(" ")
        .map((one) => (one.toLocaleLowerCase() === word ? "level" : one))
        .join(" ");
}
