/** Which games the explorer looks at. The choice is shared by all its views until the site is closed. */
import { hasServer } from "../../lib/host";
import type { Variant } from "../../lib/settings.svelte";

export const SOURCES = ["self-play", "players"] as const;
export type Source = (typeof SOURCES)[number];

/** The lower limits of the rating bands (`RATING_BANDS` in src/cairn/server/storage/games/explored.py). */
export const RATINGS = [0, 1200, 1600, 2000] as const;

export interface Filters {
    /** The engine against itself, or the games that are stored on the server. */
    source: Source;
    /** Empty for all variants. */
    variant: Variant | "";
    /** Only decisions of players with at least this rating. Games of the engine have no ratings. */
    ratingFrom: number;
    /** At the start of a turn, whether other megaliths may be on the field. */
    anyMegaliths: boolean;
}

export const filters = $state<Filters>({ source: "self-play", variant: "", ratingFrom: 0, anyMegaliths: false });

/** The sources that this site has. A static site has no stored games. */
export const availableSources: readonly Source[] = hasServer ? SOURCES : ["self-play"];
