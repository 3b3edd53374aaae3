/** The prompt: one sentence that says who has to decide, and what. */
import type { Moment, Seats, TribeName } from "../../lib/client";
import { t, type MessageKey } from "../../lib/i18n";
import { megalithName } from "../../lib/megaliths";
import { persons } from "../../lib/people";
import { nextPicks, reachable } from "../../lib/picking";
import { isSpace, isTribe, parsePosition, type Space, type Table } from "@cairn/board/position";
import { foretell } from "./consequences";
import { codeOf } from "./labels";
import { ending } from "./narration";

/** Everything that the prompt depends on. */
export interface Asked {
    moment: Moment;
    seats: Seats;
    picks: readonly string[];
    /** The token that has been sent but not yet acknowledged. */
    pending?: string | null;
    /** Whole seconds since the computer started thinking. */
    thinking?: number;
    /** A sentence about the forced effects in a held turn. */
    forced?: string;
    /** The tribes of this player in an online game; `null` in other games. */
    mine?: readonly TribeName[] | null;
    /** With sealed draws: the tribes whose links are overdue. */
    awaited?: readonly TribeName[];
    /** Set while an earlier moment is shown. */
    replay?: { step: number; of: number } | null;
}

interface Asks {
    /** The question if nothing has been picked yet. */
    first: MessageKey;
    /** The question after a space on the field has been picked. */
    space?: MessageKey;
    /** The question after an upcoming megalith has been picked. */
    slot?: MessageKey;
    /** The question after the village has been picked. */
    village?: MessageKey;
}

/** The questions for each power. Pillars of Spring and Tumulus of Shadow offer no choice. */
export const POWER_ASKS: Readonly<Record<string, Asks>> = {
    CG: { first: "play.ask.CG" },
    CD: { first: "play.ask.CD", village: "play.ask.CD" },
    CS: { first: "play.ask.CS" },
    AD: { first: "play.ask.AD" },
    DR: { first: "play.ask.DR", space: "play.ask.DR.to" },
    MD: { first: "play.ask.MD" },
    SA: { first: "play.ask.SA", space: "play.ask.SA.to" },
    SW: { first: "play.ask.SW", space: "play.ask.SW.with" },
    FC: { first: "play.ask.FC", space: "play.ask.FC.to" },
    HP: { first: "play.ask.HP", space: "play.ask.HP.to" },
    MM: { first: "play.ask.MM" },
    SS: { first: "play.ask.SS", space: "play.ask.SS.by", slot: "play.ask.SS.where" },
    WC: { first: "play.ask.WC", space: "play.ask.WC.with" },
    SH: { first: "play.ask.SH" },
    HE: { first: "play.ask.HE", space: "play.ask.HE.which", slot: "play.ask.HE.where" },
};

/** A tribe, with the name of its player if there is one. */
export function whoIs(tribe: TribeName, seats: Seats): string {
    const { name } = seats[tribe];
    return name ? t("play.who.named", { tribe, name }) : t("story.tribe", { tribe });
}

/** The same as the subject of a sentence: some languages need an article. */
export function subjectOf(tribe: TribeName, seats: Seats): string {
    return seats[tribe].name ? whoIs(tribe, seats) : t("online.prompt.tribe", { tribe });
}

/** The first turn of each tribe, in which the prompt explains what a turn is. */
const FIRST_TURNS = 2;

function askedAction(moment: Moment, picks: readonly string[], tribe: TribeName, table: Table): string {
    const { choices } = moment;
    const last = picks.at(-1);
    if (last === undefined) {
        const tiles = new Set(choices.map((choice) => choice.tile));
        if (tiles.size === 1 && tiles.has("add")) return t("play.ask.action.addOnly");
        if (moment.next_wins) return t("play.ask.action.last");
        return moment.turn <= FIRST_TURNS ? t("play.ask.action.first") : t("play.ask.action");
    }
    const next = [...nextPicks(choices, picks).keys()];
    if (last === "tile:add" || last.startsWith("village:"))
        return t("play.ask.add", { space: next.filter(isSpace).join(", ") });
    if (last === "tile:move") return t("play.ask.tile.move");
    if (last === "tile:jump") return t("play.ask.tile.jump");
    const leaving = next.some((pick) => pick.startsWith("village:"));
    if (!leaving) return t("play.ask.action.to", { space: last });
    // E4: on a space with a megalith, nothing is built.
    const occupied = isSpace(last) && table.megaliths[last];
    return t(occupied ? "play.ask.action.toOrOut.megalith" : "play.ask.action.toOrOut", { space: last, tribe });
}

function askedPower(moment: Moment, picks: readonly string[], table: Table): string {
    const power = moment.power ?? "";
    // The first pick determines which power applies: the megalith's own power or a copied one.
    const applied = (picks.length > 0 && reachable(moment.choices, picks)[0]?.power) || power;
    const asks = POWER_ASKS[applied];
    const last = (applied === power ? picks : picks.slice(1)).at(-1);
    const pickedSlot = last?.startsWith("slot:") ? last : undefined;
    const key =
        (last === undefined
            ? undefined
            : pickedSlot
              ? asks?.slot
              : last.startsWith("village:")
                ? asks?.village
                : asks?.space) ??
        asks?.first ??
        "play.ask.SH";
    const megalith =
        applied === power
            ? megalithName(power)
            : t("play.ask.copied", { power: megalithName(power), megalith: megalithName(applied) });
    const standing = last !== undefined && isSpace(last) ? table.megaliths[last] : undefined;
    const chosen = pickedSlot ? codeOf(table, pickedSlot) : standing;
    const ask = t("play.ask.power", {
        megalith,
        ask: t(key, { space: last ?? moment.focus ?? "", megalith: chosen ? megalithName(chosen) : "" }),
    });
    return nextPicks(moment.choices, []).has("button:stop") ? t("play.ask.orStop", { ask }) : ask;
}

function askedTransformation(targets: readonly Space[], table: Table): string {
    // E4: on a space with a megalith, a transformation banishes without building.
    const open = targets.filter((space) => !table.megaliths[space]).length;
    const builds = open === targets.length ? "all" : open > 0 ? "some" : "none";
    return t("play.ask.transform", { n: targets.length, space: targets[0] ?? "", builds });
}

function asked({ moment, picks }: Asked, tribe: TribeName): string {
    // Announce effects that the player cannot avoid before they happen.
    return [question(moment, picks, tribe), ...foretell(moment, picks)].join(" ");
}

function question(moment: Moment, picks: readonly string[], tribe: TribeName): string {
    const table = parsePosition(moment.position);
    const space = moment.focus ?? "";
    switch (moment.phase) {
        case "action":
            return askedAction(moment, picks, tribe, table);
        case "build":
            return t("play.ask.build", { space, wins: String(moment.next_wins) });
        case "power":
            return askedPower(moment, picks, table);
        case "transform": {
            const targets = [...nextPicks(moment.choices, []).keys()].filter(isSpace);
            return askedTransformation(targets, table);
        }
        default:
            return t("play.ask.draw");
    }
}

/** Adds to a question which player has to decide, unless this is obvious. */
function addressed(ask: string, { moment, seats, mine }: Asked, tribe: TribeName): string {
    const inside = tribe !== moment.active;
    if (mine && !mine.includes(tribe)) {
        const who = subjectOf(tribe, seats);
        return inside ? t("online.prompt.inside", { who, active: moment.active }) : t("online.prompt.waits", { who });
    }
    if (persons(seats).length === 2 && mine?.length !== 1) {
        const who = whoIs(tribe, seats);
        return inside ? t("play.lead.inside", { who, active: moment.active, ask }) : t("play.lead.turn", { who, ask });
    }
    return inside ? t("play.lead.youInside", { active: moment.active, ask }) : ask;
}

/** Message parameters: who still has to confirm, and whether a draw is on hold. */
export function unconfirmed({ phase }: Moment, held: TribeName, seats: Seats): { who: string; draw: string } {
    return { who: subjectOf(held, seats), draw: String(phase === "draw") };
}

/** Says whose browser a sealed draw is waiting for. Before the start, there are no upcoming megaliths. */
function awaits({ moment, mine, awaited = [] }: Asked): string {
    const [tribe] = awaited;
    if (!tribe) return t("play.ask.draw");
    const start = String(parsePosition(moment.position).upcoming.every((megalith) => !megalith));
    const isWatching = !mine?.length;
    const whose = awaited.length > 1 ? "both" : isWatching ? "one" : mine.includes(tribe) ? "own" : "other";
    return t("online.prompt.sealed", { start, whose });
}

/** The sentence that the prompt shows. */
export function prompt(all: Asked): string {
    const { moment, seats, pending, replay } = all;
    if (replay) return t("play.prompt.replay", replay);
    if (moment.outcome) return t("story.sentence", { text: ending(moment.outcome) });
    if (pending) return t("play.prompt.pending");
    if (moment.held) {
        const { mine } = all;
        if (mine && !mine.includes(moment.held))
            return t("online.prompt.held", unconfirmed(moment, moment.held, seats));
        const ask = (key: MessageKey) => [all.forced, t(key)].filter(Boolean).join(" ");
        if (moment.phase === "draw") return addressed(ask("play.prompt.heldDraw"), all, moment.held);
        // In the position, the next turn has started, but the tribe that has to confirm is still the active one.
        return addressed(ask("play.prompt.held"), { ...all, moment: { ...moment, active: moment.held } }, moment.held);
    }
    const { decider } = moment;
    if (!isTribe(decider)) return awaits(all);
    if (seats[decider].kind === "computer") {
        const seconds = all.thinking ?? 0;
        const inside = decider !== moment.active;
        if (inside && moment.phase === "power" && moment.power) {
            return t("play.prompt.computerPower", { tribe: decider, megalith: megalithName(moment.power), seconds });
        }
        return inside && moment.phase === "build"
            ? t("play.prompt.computerBuild", { tribe: decider, seconds })
            : t("play.prompt.thinking", { tribe: decider, seconds });
    }
    return addressed(asked(all, decider), all, decider);
}
