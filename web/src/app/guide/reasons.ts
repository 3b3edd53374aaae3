/** Explains an engine move in plain words. The core supplies its effects and what they change. */
import { otherTribe } from "@cairn/board/position";
import { stepsOfTurn } from "@cairn/board/turn";

import type { Effect, Step, TribeName } from "../../lib/client";
import type { Advisor, Build } from "../../lib/device/advice";
import { t } from "../../lib/i18n";
import { megalithName } from "../../lib/megaliths";
import { clause } from "../sentences/narration";

/** The engine's choice for the rest of a turn. */
export interface Idea {
    /** The position at the start of the turn. */
    start: string;
    /** The tokens played in this turn so far. */
    played: readonly string[];
    /** The tokens that the engine expects from now on. The first one is the hint. */
    line: readonly string[];
    tribe: TribeName;
}

export type Reason =
    | { kind: "wins" | "builds" | "buildsLater" | "banishes" | "advances" | "best" }
    | { kind: "blocks" | "prepares"; how: Build["kind"]; space: string; tribe: TribeName }
    | { kind: "activates"; code: string };

/** The same position with the given tribe to move. */
export function withActive(position: string, tribe: TribeName): string {
    return position.slice(0, -1) + (tribe === "forest" ? "F" : "S");
}

/** The remaining steps of this turn if the idea is played; the first one is the hint. */
export async function stepsOf({ study }: Advisor, { start, played, line, tribe }: Idea): Promise<Step[]> {
    const tokens = [...played, ...line];
    const { steps, now } = await study(start, tokens);
    // The engine's line may end before a build, because all megaliths are then equally good.
    const build = now.phase === "build" && now.decider === tribe ? now.choices[0] : undefined;
    const mine = (build ? (await study(start, [...tokens, build.token])).steps : steps).slice(played.length);
    return mine.filter(({ turn }) => turn === mine[0]?.turn);
}

/** Whether the idea ends in the middle of the tribe's turn, with a decision of the tribe. */
export async function isUnfinished({ study }: Advisor, { start, played, line, tribe }: Idea): Promise<boolean> {
    const { now, steps } = await study(start, [...played, ...line]);
    return !now.outcome && now.decider === tribe && now.turn === steps[0]?.turn;
}

/** Why the first step is good: the strongest reason that the core confirms. */
export async function reasonFor(advisor: Advisor, { start, tribe }: Idea, steps: readonly Step[]): Promise<Reason> {
    const enemy = otherTribe(tribe);
    const first = steps[0]?.effects ?? [];
    const all = steps.flatMap(({ effects }) => effects);
    if (all.some((effect) => effect.kind === "ended" && effect.winner === tribe)) return { kind: "wins" };
    if (all.some((effect) => effect.kind === "built" && effect.tribe === tribe && effect.score !== null)) {
        const now = first.some(({ kind }) => kind === "left" || kind === "transformed" || kind === "built");
        return { kind: now ? "builds" : "buildsLater" };
    }
    if (first.some((effect) => effect.kind === "banished" && effect.tribe === enemy)) return { kind: "banishes" };
    const end = steps.at(-1)?.position ?? start;
    const stopped = await difference(advisor, withActive(start, enemy), withActive(end, enemy));
    if (stopped) return { kind: "blocks", how: stopped.kind, space: stopped.space, tribe: enemy };
    const prepared = await difference(advisor, withActive(end, tribe), withActive(start, tribe));
    if (prepared) return { kind: "prepares", how: prepared.kind, space: prepared.space, tribe };
    const activated = first.find((effect) => effect.kind === "activated" && effect.result !== "nothing");
    if (activated?.kind === "activated") return { kind: "activates", code: activated.code };
    return { kind: first.some((effect) => advances(effect, tribe)) ? "advances" : "best" };
}

/** A build that is possible in one position, but not in another. */
async function difference({ builds }: Advisor, one: string, other: string): Promise<Build | null> {
    const [here, there] = [await builds(one), await builds(other)];
    if (!here || !there) return null;
    return here.find(({ kind, space }) => !there.some((each) => each.kind === kind && each.space === space)) ?? null;
}

function advances(effect: Effect, tribe: TribeName): boolean {
    if (effect.kind !== "moved" || effect.tribe !== tribe) return false;
    const ahead = Number(effect.target[1]) - Number(effect.origin[1]);
    return tribe === "forest" ? ahead > 0 : ahead < 0;
}

/** The hint as sentences: what to do, and why. */
export function hintSentence(effects: readonly Effect[], reason: Reason): string {
    const move = stepsOfTurn(effects)[0]?.main ?? effects[0];
    return move ? `${t("guide.hint.move", { move: clause(move) })} ${reasonSentence(reason)}` : reasonSentence(reason);
}

function reasonSentence(reason: Reason): string {
    switch (reason.kind) {
        case "blocks":
        case "prepares": {
            const { how, ...where } = reason;
            return t(`guide.reason.${reason.kind}.${how}`, where);
        }
        case "activates":
            return t("guide.reason.activates", { megalith: megalithName(reason.code) });
        default:
            return t(`guide.reason.${reason.kind}`);
    }
}
