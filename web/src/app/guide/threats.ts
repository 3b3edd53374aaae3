/** The ways in which the opponent could score next turn, as sentences and as shapes on the board. */
import type { Effect } from "@cairn/board/effects";
import type { Shape } from "@cairn/board/shapes";
import { stepsOfTurn, turnShapes } from "@cairn/board/turn";

import type { Moment, TribeName } from "../../lib/client";
import type { Build } from "../../lib/device/advice";
import { t } from "../../lib/i18n";
import { withActive } from "./reasons";

/** What the opponent could do in their next turn. */
export interface Threats {
    tribe: TribeName;
    /** Whether the opponent moves next from this position. Otherwise, the player moves first and flips a tile. */
    exact: boolean;
    builds: readonly Build[];
}

/** The maximum number of threats with arrows. More would cover the board. Every threatened space is marked. */
const MOST_ARROWS = 3;

/** The position from which to search the opponent's next turn; `null` in the middle of a turn. */
export function threatPosition(moment: Moment, opponent: TribeName): { position: string; exact: boolean } | null {
    if (moment.outcome || moment.phase !== "action") return null;
    const exact = moment.active === opponent;
    if (exact && !moment.held) return null; // the opponent is playing
    return { position: withActive(moment.position, opponent), exact };
}

export function threatsSentence({ tribe, exact, builds }: Threats): string {
    const ways = builds.map(({ kind, space }) => t(`guide.threats.${kind}`, { space })).join("; ");
    return t(ways ? "guide.threats.some" : "guide.threats.none", { tribe, exact: String(exact), ways });
}

/** A hatched edge around every space where the opponent could build, and arrows that show how. */
export function threatShapes({ builds }: Threats): Shape[] {
    const spaces = new Set(builds.map(({ space }) => space));
    const arrows = builds
        .slice(0, MOST_ARROWS)
        .flatMap(({ effects }) => turnShapes(stepsOfTurn(effects as unknown as Effect[])))
        .filter(({ kind }) => kind === "arrow" || kind === "link");
    return [
        ...[...spaces].map((at) => ({ kind: "threat", at, tone: "danger" }) as const),
        ...arrows.map((shape) => ({ ...shape, tone: "danger" }) as const),
    ];
}
