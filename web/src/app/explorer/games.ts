/** What was played at a moment: in games of the engine against itself, from files, or in the games on the server. */
import { json, type ExploredToken, type ExplorerSummary } from "../../lib/client";
import { VARIANTS, type Variant } from "../../lib/settings.svelte";
import { partLoader } from "../shared/parts";
import type { Filters } from "./filters.svelte";
import { lookAt } from "./look";

/** A moment: the start of a turn, and the tokens played since. */
export interface ExploredMoment {
    readonly turnStart: string;
    readonly tokens: readonly string[];
    readonly legal: readonly string[];
}

/** For each token, won, drawn and lost games of the active tribe, for one variant after the other. */
type Moments = Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>;

/** `src/cairn/explorer/web.py` writes this file. */
interface SelfPlaySummary {
    readonly games: Readonly<Record<Variant, number>>;
    /** Offers, and won, drawn and lost games of the builders, by code. */
    readonly megaliths: Readonly<Record<Variant, Readonly<Record<string, readonly number[]>>>>;
    /** Won, drawn and lost games of the tribe that begins, by faces. */
    readonly starts: Readonly<Record<Variant, Readonly<Record<string, readonly number[]>>>>;
}

const DIGITS = "0123456789abcdef";
const files = import.meta.glob<string>("../../lib/generated/explorer/*.json", {
    query: "?url",
    import: "default",
    eager: true,
});
const loadMoments = partLoader<Moments>(files);
const loadSummary = partLoader<SelfPlaySummary>(files);

/** The file that contains a moment, as in `digit_of` in src/cairn/explorer/web.py. */
export function digitOf(look: string): string {
    let number = 0;
    for (const letter of look) number = (Math.imul(number, 31) + letter.charCodeAt(0)) >>> 0;
    return DIGITS[(number >>> 16) % DIGITS.length] ?? "0";
}

/** What was played at a moment, the most frequent token first. Rejects if it cannot be loaded. */
export async function explore(moment: ExploredMoment, filters: Filters): Promise<readonly ExploredToken[]> {
    return filters.source === "players" ? exploreServer(moment, filters) : exploreSelfPlay(moment, filters);
}

async function exploreServer({ turnStart, tokens }: ExploredMoment, filters: Filters): Promise<ExploredToken[]> {
    const query = {
        position: turnStart,
        tokens,
        variant: filters.variant || null,
        rating_from: filters.ratingFrom,
        any_megaliths: filters.anyMegaliths,
    };
    return (await json<{ tokens: ExploredToken[] }>("POST", "/explorer/moment", query)).tokens;
}

async function exploreSelfPlay(
    { turnStart, tokens, legal }: ExploredMoment,
    { variant, anyMegaliths }: Filters,
): Promise<ExploredToken[]> {
    const { text, active, image } = lookAt(turnStart, tokens, anyMegaliths);
    const byToken = (await loadMoments(digitOf(text)))?.[text] ?? {};
    const found = legal.flatMap((token): ExploredToken[] => {
        const [won, drawn, lost] = summed(byToken[image(token)] ?? [], variant);
        if (won + drawn + lost === 0) return [];
        const [forest, sea] = active === "forest" ? [won, lost] : [lost, won];
        return [{ token, forest, drawn, sea, mean_rating: null }];
    });
    return found.sort((one, other) => gamesOf(other) - gamesOf(one));
}

export function gamesOf({ forest, drawn, sea }: Pick<ExploredToken, "forest" | "drawn" | "sea">): number {
    return forest + drawn + sea;
}

/** Add up the results of the variants that count. */
function summed(numbers: readonly number[], variant: Variant | ""): [number, number, number] {
    const sums: [number, number, number] = [0, 0, 0];
    numbers.forEach((number, at) => {
        if (variant === "" || VARIANTS[Math.floor(at / 3)] === variant) sums[at % 3] = (sums[at % 3] ?? 0) + number;
    });
    return sums;
}

/** How the megaliths and the starts perform. Rejects if it cannot be loaded. */
export async function loadPerformance({ source, variant, ratingFrom }: Filters): Promise<ExplorerSummary> {
    if (source === "players") {
        const query = new URLSearchParams({ rating_from: String(ratingFrom), ...(variant ? { variant } : {}) });
        return json<ExplorerSummary>("GET", `/explorer/summary?${query}`);
    }
    const summary = await loadSummary("summary");
    if (!summary) throw new Error("this build has no explorer");
    const { games, megaliths, starts } = summary;
    const counted = VARIANTS.filter((each) => variant === "" || each === variant);
    const total = (table: SelfPlaySummary["megaliths"], key: string): number[] =>
        counted.map((each) => table[each][key] ?? []).reduce<number[]>(added, []);
    const codes = [...new Set(counted.flatMap((each) => Object.keys(megaliths[each])))].sort();
    const faces = Object.keys(starts[VARIANTS[0]]);
    return {
        games: counted.reduce((sum, each) => sum + games[each], 0),
        megaliths: codes.map((code) => {
            const [offered = 0, won = 0, drawn = 0, lost = 0] = total(megaliths, code);
            return { code, offered, won, drawn, lost };
        }),
        starts: faces.map((each) => {
            const [won = 0, drawn = 0, lost = 0] = total(starts, each);
            return { faces: each, won, drawn, lost };
        }),
    };
}

function added(one: readonly number[], other: readonly number[]): number[] {
    return Array.from({ length: Math.max(one.length, other.length) }, (_, at) => (one[at] ?? 0) + (other[at] ?? 0));
}
