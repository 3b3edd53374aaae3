/** The one-time tips for a first game: which one is due, and what it points at. */
import { isSpace, isTribe, otherTribe, type Table } from "@cairn/board/position";

import type { Choice, Moment, Step, TribeName } from "../../lib/client";
import type { TipId } from "./seenTips";

/** Tips about something that may not happen again soon. They do not wait for the next turn. */
const URGENT: ReadonlySet<TipId> = new Set<TipId>(["goal", "tiles", "exit", "line"]);

export interface Tip {
    id: TipId;
    /** A CSS selector for the part of the play page that the tip describes. */
    anchor: string;
    /** The megalith that the tip names. */
    code?: string;
    /** The tribe that the tip names. */
    tribe?: TribeName;
}

/** A decision that the player has to make. */
export interface Decision {
    moment: Moment;
    table: Pick<Table, "megaliths">;
    steps: readonly Step[];
}

/** The tip that is due. `rested` is the turn in which the last tip was closed; the next one waits for a later turn. */
export function dueTip(decision: Decision, seen: ReadonlySet<string>, rested: number | null): Tip | null {
    const tips = candidates(decision).filter(({ id }) => !seen.has(id));
    return tips.find(({ id }) => URGENT.has(id) || rested !== decision.moment.turn) ?? null;
}

/** The tips that fit a decision, most urgent first. */
function candidates({ moment, table, steps }: Decision): Tip[] {
    const me = moment.decider;
    if (!isTribe(me)) return [];
    if (moment.phase === "transform") {
        const target = ends(moment.choices).find((pick) => isSpace(pick) && !table.megaliths[pick]);
        return target ? [{ id: "line", anchor: place(target) }] : [];
    }
    if (moment.phase !== "action") return [];
    const leaver = exitFrom(moment.choices, otherTribe(me), table);
    const stone = ends(moment.choices).find((pick) => isSpace(pick) && table.megaliths[pick]);
    const code = stone && isSpace(stone) ? table.megaliths[stone] : undefined;
    const enemy = steps.at(-1)?.active === otherTribe(me);
    const own = steps.some(({ active }) => active === me);
    return [
        { id: "goal", anchor: place(`village:${otherTribe(me)}`) },
        ...(leaver ? [{ id: "exit", anchor: place(leaver) } as const] : []),
        { id: "tiles", anchor: ".play .tiles" },
        ...(enemy ? [{ id: "strip", anchor: ".play .strip", tribe: otherTribe(me) } as const] : []),
        ...(own ? [{ id: "flip", anchor: ".play .tiles" } as const] : []),
        ...(stone && code ? [{ id: "stone", anchor: place(stone), code } as const] : []),
    ];
}

const place = (pick: string): string => `.play [data-pick="${pick}"]`;

/** The last pick of each choice, which is where it leads. */
function ends(choices: readonly Choice[]): string[] {
    return choices.flatMap(({ paths }) => paths[0]?.at(-1) ?? []);
}

/** A space from which a shaman can leave the field and build, because no megalith stands there. */
function exitFrom(choices: readonly Choice[], enemy: TribeName, { megaliths }: Pick<Table, "megaliths">) {
    const paths = choices.flatMap((choice) => choice.paths).filter((path) => path.at(-1) === `village:${enemy}`);
    return paths.flat().find((pick) => isSpace(pick) && !megaliths[pick]);
}
