/** Accessible names for everything on the table, and where shamans can go. */
import {
    deckSize,
    isSpace,
    parsePosition,
    waiting,
    type Space,
    type Table,
    type TileName,
} from "@cairn/board/position";

import type { Choice, Moment } from "../../lib/client";
import { t } from "../../lib/i18n";
import { megalithName } from "../../lib/megaliths";
import { nextPicks } from "../../lib/picking";
import { faceName } from "./narration";

export function isTile(name: string): name is TileName {
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

/** The shaman moves among the choices. The path of each ends with the origin and the target. */
export function journeys(choices: readonly Choice[]): { from: string; to: string; tile: Choice["tile"] }[] {
    return choices
        .filter((choice) => choice.aim === "shaman")
        .flatMap(({ paths, tile }) => paths.map((path) => ({ from: path.at(-2) ?? "", to: path.at(-1) ?? "", tile })))
        .filter(({ from, to }) => isPlace(from) && isPlace(to));
}

function isPlace(pick: string): boolean {
    return isSpace(pick) || pick.startsWith("village:");
}

/** Where a shaman can go, grouped by tile in an action: "Move: a2, b1. Jump: c3." */
export function ways(choices: readonly Choice[], space: string): string | null {
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
        ? t("play.now.tile", { n: next.length, spaces })
        : t("play.now.way", { spaces });
}

/** Whether a tap that picks nothing opens a card. Only megaliths and tiles have cards. */
export function hasCard(subject: string, { position }: Moment): boolean {
    const table = parsePosition(position);
    if (isSpace(subject)) return Boolean(table.megaliths[subject]);
    return subject.startsWith("tile:") || (subject.startsWith("slot:") && codeOf(table, subject) !== null);
}
