/** Accessible names and explanations for everything on the table. */
import { TOTEMS } from "@cairn/board/layout";
import type { Choice, Moment } from "../../lib/client";
import { language, t } from "../../lib/i18n";
import { megalithName, megalithPower } from "../../lib/megaliths";
import {
    deckSize,
    isSpace,
    otherFace,
    waiting,
    type Space,
    type Table,
    type TileName,
    type Tribe,
} from "@cairn/board/position";
import { faceName } from "./narration";
import { nextPicks } from "../../lib/picking";

/** When an empty slot will be filled: never (the game is over), when the turn is confirmed, or next. */
export type Draws = "over" | "confirmed" | "next";

/** An explanation of something on the table. */
export interface Explanation {
    /** The name of the drawing to show, if any. */
    art: string | null;
    title: string;
    lines: string[];
    /** What can be done with it now. */
    now: string | null;
    /** The tiles that may still be drawn. */
    tiles?: { title: string; codes: readonly string[] }[];
}

function listed(items: readonly string[]): string {
    return new Intl.ListFormat(language(), { type: "conjunction" }).format(items);
}

function isTile(name: string): name is TileName {
    return name === "add" || name === "move" || name === "jump" || name === "transformation";
}

/** The code of the megalith in a slot. */
export function codeOf(table: Table, pick: string): string | null {
    return pick === "slot:0" ? table.upcoming[0] : table.upcoming[1];
}

/** The accessible name of a pick, of `field`, or of `deck`. */
export function label(subject: string, table: Table): string {
    if (isSpace(subject)) return spaceLabel(subject, table);
    const [kind, name = ""] = subject.split(":");
    if (kind === "village") {
        const tribe = name === "sea" ? "sea" : "forest";
        return t("play.label.village", { tribe, n: waiting(table, tribe), score: table.scores[tribe] });
    }
    if (kind === "slot") {
        const code = codeOf(table, subject);
        return code ? t("play.label.slot", { megalith: megalithName(code) }) : t("play.label.slotEmpty");
    }
    if (kind === "tile" && isTile(name)) {
        return t("play.label.tile", {
            tile: t("story.tile", { tile: name }),
            face: t("story.faceShort", { face: faceName(name, table.faces[name]) }),
        });
    }
    return subject === "deck" ? t("play.label.deck", { n: deckSize(table) }) : t("play.label.field");
}

function spaceLabel(space: Space, table: Table): string {
    const [tribe, code] = [table.shamans[space], table.megaliths[space]];
    const megalith = code ? megalithName(code) : "";
    if (tribe)
        return code ? t("play.label.both", { space, tribe, megalith }) : t("play.label.shaman", { space, tribe });
    return code ? t("play.label.megalith", { space, megalith }) : t("play.label.empty", { space });
}

/** The moves of shamans among the choices. The path of such a choice ends with the origin and the target. */
function journeys(choices: readonly Choice[]): { from: string; to: string; tile: Choice["tile"] }[] {
    return choices
        .filter((choice) => choice.aim === "shaman")
        .flatMap(({ paths, tile }) => paths.map((path) => ({ from: path.at(-2) ?? "", to: path.at(-1) ?? "", tile })))
        .filter(({ from, to }) => isPlace(from) && isPlace(to));
}

/** Whether a pick is possible, now or after other picks. */
function isOffered(choices: readonly Choice[], pick: string): boolean {
    return choices.some(({ paths }) => paths.some((path) => path.includes(pick)));
}

function isPlace(pick: string): boolean {
    return isSpace(pick) || pick.startsWith("village:");
}

/** Where a shaman can go, listed by tile in an action: "Move: a2, b1. Jump: c3." */
function ways(choices: readonly Choice[], space: string): string | null {
    const goals = new Map<Choice["tile"], Set<string>>();
    for (const { from, to, tile } of journeys(choices)) {
        if (from !== space) continue;
        const goal = isSpace(to) ? to : t("play.now.out");
        goals.set(tile, (goals.get(tile) ?? new Set()).add(goal));
    }
    if (goals.size === 0) return null;
    return [...goals]
        .map(([tile, there]) => {
            const spaces = [...there].join(", ");
            return tile
                ? t("play.now.ways", { tile: t("story.tile", { tile }), spaces })
                : t("play.now.way", { spaces });
        })
        .join(" ");
}

/** The targets of the selection, for screen readers; `null` if nothing is selected. */
export function targetsSentence({ choices, phase }: Moment, picks: readonly string[]): string | null {
    const last = picks.at(-1);
    if (last === undefined) return null;
    if (phase === "action" && isSpace(last) && picks.length === 1) return ways(choices, last);
    const next = [...nextPicks(choices, picks).keys()].filter(isPlace);
    if (next.length === 0) return null;
    const spaces = next.map((pick) => (isSpace(pick) ? pick : t("play.now.out"))).join(", ");
    return last.startsWith("tile:") && last !== "tile:add"
        ? t("play.now.tile", { spaces })
        : t("play.now.way", { spaces });
}

/** The places from which a space can be reached. */
function comers(choices: readonly Choice[], space: string): string | null {
    const from = journeys(choices)
        .filter(({ to }) => to === space)
        .map((journey) => (isSpace(journey.from) ? journey.from : t("play.now.fromVillage")));
    return from.length > 0 ? t("play.now.comers", { from: listed([...new Set(from)]) }) : null;
}

function aboutSpace(space: Space, table: Table, choices: readonly Choice[]): Explanation {
    const [tribe, code] = [table.shamans[space], table.megaliths[space]];
    const lines: string[] = [];
    if (code) lines.push(megalithPower(code));
    if (tribe && code) lines.push(t("play.about.shaman", { tribe, space }));
    const totem = TOTEMS[space];
    if (totem) lines.push(t("play.about.totem", { ...totem }));
    const now = tribe ? (ways(choices, space) ?? comers(choices, space)) : comers(choices, space);
    return {
        art: code ? `megalith-${code}` : tribe ? `shaman-${tribe}` : null,
        title: code
            ? megalithName(code)
            : tribe
              ? t("play.label.shaman", { space, tribe })
              : t("play.label.empty", { space }),
        lines,
        now,
    };
}

function aboutTile(tile: TileName, table: Table, moment: Moment | null): Explanation {
    const face = table.faces[tile];
    const back = otherFace(tile, face);
    const choices = moment?.choices ?? [];
    let now: string | null = null;
    if (moment && choices.length > 0 && moment.phase === "action" && tile !== "transformation") {
        const users = [...nextPicks(choices, [`tile:${tile}`]).keys()].filter(isSpace);
        if (users.length === 0) now = t("play.now.tileNone");
        else
            now =
                tile === "add"
                    ? t("play.now.add", { spaces: listed(users) })
                    : t("play.now.tile", { spaces: listed(users) });
    } else if (isOffered(choices, `tile:${tile}`)) now = t("play.now.pick");
    const targets = moment?.phase === "transform" ? [...nextPicks(choices, []).keys()].filter(isSpace) : [];
    if (tile === "transformation" && targets.length > 0) now = t("play.now.transform", { spaces: listed(targets) });
    return {
        art: `tile-${tile}-${face}`,
        title: t("story.tile", { tile }),
        lines: [
            t("story.face", { face: faceName(tile, face) }),
            t("play.about.back", { face: t("story.faceShort", { face: faceName(tile, back) }) }),
        ],
        now,
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
        now,
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
        now: spaces.length > 0 ? t("play.now.leave", { spaces: listed(spaces) }) : null,
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

/** An explanation as one text, without its title. */
export function explanationText({ lines, now, tiles }: Explanation): string {
    const named = (tiles ?? []).map(
        ({ title, codes }) => `${title}: ${listed(codes.map((code) => megalithName(code)))}.`,
    );
    return [...lines, ...(now ? [`${t("play.now.title")}: ${now}`] : []), ...named].join(" ");
}

/** The explanation of a subject. Pass `moment` only if its choices may be shown. */
export function explain(subject: string, table: Table, moment: Moment | null, draws: Draws = "next"): Explanation {
    const choices = moment?.choices ?? [];
    if (isSpace(subject)) return aboutSpace(subject, table, choices);
    const [kind, name = ""] = subject.split(":");
    if (kind === "tile" && isTile(name)) return aboutTile(name, table, moment);
    if (kind === "slot") return aboutSlot(subject, table, moment, draws);
    if (kind === "village") return aboutVillage(name === "sea" ? "sea" : "forest", table, choices);
    return aboutDeck(table);
}
