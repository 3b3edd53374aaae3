/** Describes the consequences that the core lists for the choices at a moment, as tags for the board and sentences. */
import type { Shape, Tag } from "@cairn/board";
import { isSpace } from "@cairn/board/position";

import type { Choice, Consequence, Effect, Moment } from "../../lib/client";
import { t } from "../../lib/i18n";
import { megalithName } from "../../lib/megaliths";
import { completed, nextPicks } from "../../lib/picking";
import { chained, clause, sentence } from "./narration";

/** The consequence of a choice, if it has one. */
export function consequenceOf({ consequences }: Moment, { token }: Choice): Consequence | undefined {
    return consequences.find((each) => each.token === token);
}

/** The choices that the next pick would complete, by pick. Buttons are left out, because they are not on the board. */
function completions({ choices }: Moment, picks: readonly string[]): [string, Choice][] {
    return [...nextPicks(choices, picks).keys()].flatMap((pick) => {
        const whole = pick.startsWith("button:") ? undefined : completed(choices, [...picks, pick]);
        return whole ? [[pick, whole] as [string, Choice]] : [];
    });
}

/** Whether a choice has an immediate effect that the player might not expect. */
function isForced({ effects, scorer }: Consequence, decider: Moment["decider"]): boolean {
    const surprises = effects.some((effect) => effect.kind === "banished" || effect.kind === "extra-turn");
    return surprises || (scorer !== null && scorer !== decider);
}

/** The tags of the next picks: the tile that each uses, and a note for a point or a forced effect. */
export function tagsOf(moment: Moment, picks: readonly string[]): Record<string, Tag> {
    if (picks.length === 0) return {};
    return Object.fromEntries(
        completions(moment, picks).map(([pick, choice]) => {
            const found = consequenceOf(moment, choice);
            const scores = found && found.scorer !== null && found.scorer === moment.decider;
            const note = scores ? "+1" : found && isForced(found, moment.decider) ? "!" : undefined;
            return [pick, { tiles: choice.tile ? [choice.tile] : [], note }];
        }),
    );
}

/** The lines of three that can be transformed now. */
export function linesOf({ consequences }: Moment): Shape[] {
    return consequences.flatMap(({ lines }) =>
        lines.map(([from = "", , to = ""]) => ({ kind: "band", from, to }) as const),
    );
}

/** The maximum number of consequences in a prompt. */
const MOST = 3;

/** What each possible next pick would cause at once, in one sentence per pick. With `only`, just that pick. */
export function foretell(moment: Moment, picks: readonly string[], only?: string): string[] {
    if (picks.length === 0) return [];
    const sentences = completions(moment, picks).flatMap(([pick, choice]) => {
        if (only !== undefined && pick !== only) return [];
        const found = consequenceOf(moment, choice);
        return found ? sentencesOf(found, moment.decider) : [];
    });
    return [...new Set(sentences)].slice(0, MOST);
}

function sentencesOf({ effects, scorer }: Consequence, decider: Moment["decider"]): string[] {
    const sentences: string[] = [];
    const activated = effects.find((effect) => effect.kind === "activated");
    if (activated && activated.result !== "nothing") {
        const whose = activated.tribe === decider ? "own" : "other";
        const params = { space: activated.space, megalith: megalithName(activated.code), whose };
        if (effects.some((effect) => effect.kind === "extra-turn")) sentences.push(t("cards.ahead.extraTurn", params));
        else if (activated.result === "done") sentences.push(t("cards.ahead.banished", params));
        else sentences.push(t("cards.ahead.power", params));
    }
    for (const effect of effects)
        if (effect.kind === "banished" && !effect.power)
            sentences.push(t("cards.ahead.enemy", { space: effect.space }));
    if (scorer !== null && scorer !== decider) sentences.push(t("cards.ahead.opponentScores"));
    return sentences;
}

/** Describe the forced effects in a turn, such as a banishment by the Tumulus. */
export function forcedSentence(effects: readonly Effect[]): string {
    const forced = effects.filter((effect, index) => {
        const before = effects[index - 1];
        return effect.kind === "nothing-built" || (before?.kind === "activated" && before.result === "done");
    });
    return sentence(chained(forced.map((effect) => clause(effect))));
}

/** A pick in words: a space, or the name of a tile or of an upcoming megalith. */
function pickName(pick: string, upcoming: readonly (string | null)[]): string {
    if (isSpace(pick)) return pick;
    const [kind, name = ""] = pick.split(":");
    if (kind === "tile") return t("story.tile", { tile: name });
    const code = kind === "slot" ? upcoming[Number(name)] : null;
    return code ? megalithName(code) : t("play.now.out");
}

/** What a megalith would do if the decider's shaman arrived on it now; `null` if no choice leads there. */
export function wouldDo(moment: Moment, space: string, upcoming: readonly (string | null)[]): string | null {
    const leads = moment.consequences.filter(({ effects }) =>
        effects.some((effect) => effect.kind === "activated" && effect.space === space),
    );
    const [first] = leads;
    if (!first) return null;
    const picks = [...new Set(leads.flatMap(({ next }) => next))];
    if (picks.length > 0)
        return t("cards.now.offers", { picks: picks.map((pick) => pickName(pick, upcoming)).join(", ") });
    if (first.effects.some((effect) => effect.kind === "extra-turn")) return t("cards.now.extraTurn");
    return first.effects.some((effect) => effect.kind === "banished")
        ? t("cards.now.banished")
        : t("cards.now.nothing");
}
