/** Explains everything on the table, and lists the megaliths to choose from. Loaded once the board is visible. */
import { TOTEMS } from "@cairn/board/layout";
import type { Choice, Moment } from "../../lib/client";
import { language, t } from "../../lib/i18n";
import { megalithName, megalithPower } from "../../lib/megaliths";
import {
    deckSize,
    isSpace,
    otherFace,
    parsePosition,
    waiting,
    type Space,
    type Table,
    type TileName,
    type Tribe,
} from "@cairn/board/position";
import { completed, nextPicks, reachable } from "../../lib/picking";
import { addedOnto, consequenceOf, foretell, wouldDo } from "../sentences/consequences";
import { codeOf, isTile, journeys, ways } from "../sentences/labels";
import { faceName } from "../sentences/narration";

/** When an empty slot will be filled: never (the game is over), when the turn is confirmed, or next. */
export type Draws = "over" | "confirmed" | "next";

/** An explanation of something on the table. */
export interface Explanation {
    /** The name of the drawing to show, if any. */
    art: string | null;
    title: string;
    lines: string[];
    /** When it acts, and for whom. */
    when?: string;
    /** What can be done with it now. */
    now: string | null;
    /** The number of the rule that covers it. */
    rule?: string;
    /** The tiles that may still be drawn. */
    tiles?: { title: string; codes: readonly string[] }[];
}

function formatList(items: readonly string[]): string {
    return new Intl.ListFormat(language(), { type: "conjunction" }).format(items);
}

/** Whether a pick is possible, now or after other picks. */
function isOffered(choices: readonly Choice[], pick: string): boolean {
    return choices.some(({ paths }) => paths.some((path) => path.includes(pick)));
}

/** The places from which a space can be reached. */
function reachableFrom(choices: readonly Choice[], space: string): string | null {
    const from = journeys(choices)
        .filter(({ to }) => to === space)
        .map((journey) => (isSpace(journey.from) ? journey.from : t("play.now.fromVillage")));
    return from.length > 0 ? t("play.now.comers", { from: formatList([...new Set(from)]) }) : null;
}

/** The powers that offer no choice. */
const FORCED: ReadonlySet<string> = new Set(["PS", "TS"]);

/** Which tile leads to a target, and which face that tile shows afterwards. */
function reachedBy(pick: string, table: Table, moment: Moment, picks: readonly string[]): string | null {
    const choice = picks.length > 0 ? completed(moment.choices, [...picks, pick]) : undefined;
    const tile = choice?.tile;
    if (!tile) return null;
    const again = consequenceOf(moment, choice)?.effects.some((effect) => effect.kind === "extra-turn");
    const face = t("story.faceShort", { face: faceName(tile, otherFace(tile, table.faces[tile])) });
    return t("cards.target", { tile: t("story.tile", { tile }), face, whose: again ? "own" : "other" });
}

/** Says what the megalith on a space would do now, or that it is out of reach; `null` if neither applies. */
function megalithNow(space: Space, table: Table, moment: Moment | null): string | null {
    if (!moment || moment.choices.length === 0) return null;
    const would = wouldDo(moment, space, table.upcoming);
    if (would) return [reachableFrom(moment.choices, space), would].filter(Boolean).join(" ");
    return moment.phase === "action" && !table.shamans[space] ? t("cards.now.unreachable") : null;
}

function aboutSpace(space: Space, table: Table, moment: Moment | null): Explanation {
    const choices = moment?.choices ?? [];
    const [tribe, code] = [table.shamans[space], table.megaliths[space]];
    const lines: string[] = [];
    if (code) lines.push(megalithPower(code));
    if (tribe && code) lines.push(t("play.about.shaman", { tribe, space }));
    const totem = TOTEMS[space];
    if (totem) lines.push(t("play.about.totem", { ...totem }));
    const stone = code ? megalithNow(space, table, moment) : null;
    const now = (tribe ? ways(choices, space) : null) ?? stone ?? reachableFrom(choices, space);
    const onto = moment && addedOnto(moment, space);
    return {
        ...(code ? { when: t(FORCED.has(code) ? "cards.when.forced" : "cards.when"), rule: "P1" } : {}),
        art: code ? `megalith-${code}` : tribe ? `shaman-${tribe}` : null,
        title: code
            ? megalithName(code)
            : tribe
              ? t("play.label.shaman", { space, tribe })
              : t("play.label.empty", { space }),
        lines,
        now: [now, onto].filter(Boolean).join(" ") || null,
    };
}

const TILE_RULES: Readonly<Record<TileName, string>> = { add: "A1", move: "A2", jump: "A3", transformation: "X1" };

function aboutTile(tile: TileName, table: Table, moment: Moment | null): Explanation {
    const face = table.faces[tile];
    const back = otherFace(tile, face);
    const choices = moment?.choices ?? [];
    let now: string | null = null;
    if (moment && choices.length > 0 && moment.phase === "action" && tile !== "transformation") {
        const users = [...nextPicks(choices, [`tile:${tile}`]).keys()].filter(isSpace);
        if (users.length === 0) now = t("cards.unusable", { face: faceName(tile, face) });
        else
            now =
                tile === "add"
                    ? [t("play.now.add", { spaces: formatList(users) }), addedOnto(moment)].filter(Boolean).join(" ")
                    : t("play.now.tile", { n: users.length, spaces: formatList(users) });
    } else if (isOffered(choices, `tile:${tile}`)) now = t("play.now.pick");
    const targets = moment?.phase === "transform" ? [...nextPicks(choices, []).keys()].filter(isSpace) : [];
    if (tile === "transformation" && targets.length > 0) now = t("play.now.transform", { spaces: formatList(targets) });
    return {
        art: `tile-${tile}-${face}`,
        title: t("story.tile", { tile }),
        lines: [
            t("story.face", { face: faceName(tile, face) }),
            t("play.about.back", { face: t("story.faceShort", { face: faceName(tile, back) }) }),
        ],
        when: t(tile === "transformation" ? "cards.when.transformation" : "cards.when.tile"),
        now,
        rule: TILE_RULES[tile],
    };
}

function aboutSlot(pick: string, table: Table, moment: Moment | null, draws: Draws): Explanation {
    const code = codeOf(table, pick);
    if (!code) {
        const line = t("play.about.slotEmpty", { draws: deckSize(table) > 0 ? draws : "nothing" });
        return { art: null, title: t("play.label.slotEmpty"), lines: [line], now: null };
    }
    const choices = moment?.choices ?? [];
    let now: string | null = null;
    if (moment?.phase === "build" && choices.length > 0) now = t("play.now.build", { space: moment.focus ?? "" });
    else if (isOffered(choices, pick)) now = t("play.now.pick");
    return {
        art: `megalith-${code}`,
        title: megalithName(code),
        lines: [megalithPower(code), t("play.about.slot")],
        when: t("cards.when.upcoming"),
        now,
        rule: "E4",
    };
}

function aboutVillage(tribe: Tribe, table: Table, choices: readonly Choice[]): Explanation {
    const leaving = journeys(choices).filter(({ to }) => to === `village:${tribe}`);
    const spaces = [...new Set(leaving.map(({ from }) => from))];
    return {
        art: `shaman-${tribe}`,
        title: t("play.about.village", { tribe }),
        lines: [
            t("play.about.waiting", { n: waiting(table, tribe) }),
            t("play.about.score", { n: table.scores[tribe] }),
        ],
        now: spaces.length > 0 ? t("play.now.leave", { spaces: formatList(spaces) }) : null,
        rule: "E1",
    };
}

function aboutDeck(table: Table): Explanation {
    const { unknown, known } = table.deck;
    const n = deckSize(table);
    return {
        art: "megalith-back",
        title: t("play.about.deck"),
        lines: [t("play.about.deckSize", { n })],
        now: null,
        tiles: [
            ...(unknown.length > 0 ? [{ title: t("play.about.deckUnknown"), codes: unknown }] : []),
            ...(known.length > 0
                ? [{ title: unknown.length > 0 ? t("play.about.deckBottom") : t("play.about.deckKnown"), codes: known }]
                : []),
        ],
    };
}

/** A megalith that is offered as a card. */
export interface Option {
    pick: string;
    code: string;
    /** What the button does. */
    action: string;
}

/** The upcoming megaliths to choose from, if the next pick must be one of them. */
export function optionsOf({ choices, phase, power, position }: Moment, picks: readonly string[]): Option[] {
    const next = [...nextPicks(choices, picks).keys()].filter((pick) => !pick.startsWith("button:"));
    if (next.length === 0 || !next.every((pick) => pick.startsWith("slot:"))) return [];
    const table = parsePosition(position);
    const applied = (picks.length > 0 && reachable(choices, picks)[0]?.power) || power;
    const builds = phase === "build" || applied === "HE";
    const action = t(builds ? "cards.choose.build" : applied === "SS" ? "cards.choose.take" : "cards.choose.use");
    return next.sort().flatMap((pick) => {
        const code = codeOf(table, pick);
        return code ? [{ pick, code, action }] : [];
    });
}

/** An explanation as plain text, without its title. */
export function explanationText({ lines, when, now, tiles }: Explanation): string {
    const named = (tiles ?? []).map(
        ({ title, codes }) => `${title} ${formatList(codes.map((code) => megalithName(code)))}.`,
    );
    return [...lines, ...(when ? [when] : []), ...(now ? [`${t("play.now.title")}. ${now}`] : []), ...named].join(" ");
}

/** Explain a subject. Pass `moment` only if its choices may be shown; `picks` are the picks made so far. */
export function explain(
    subject: string,
    table: Table,
    moment: Moment | null,
    { draws = "next", picks = [] }: { draws?: Draws; picks?: readonly string[] } = {},
): Explanation {
    const found = explainAlone(subject, table, moment, draws);
    const reached = moment && reachedBy(subject, table, moment, picks);
    return reached ? { ...found, now: [reached, ...foretell(moment, picks, subject)].join(" ") } : found;
}

function explainAlone(subject: string, table: Table, moment: Moment | null, draws: Draws): Explanation {
    const choices = moment?.choices ?? [];
    if (isSpace(subject)) return aboutSpace(subject, table, moment);
    const [kind, name = ""] = subject.split(":");
    if (kind === "tile" && isTile(name)) return aboutTile(name, table, moment);
    if (kind === "slot") return aboutSlot(subject, table, moment, draws);
    if (kind === "village") return aboutVillage(name === "sea" ? "sea" : "forest", table, choices);
    return aboutDeck(table);
}
