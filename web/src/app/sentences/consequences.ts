/** Describes the consequences that the core lists for the choices at a moment, as tags for the board and sentences. */
import type { Shape, Tag } from "@cairn/board";
import { isSpace, type TileName } from "@cairn/board/position";

import type { Choice, Consequence, Effect, Moment } from "../../lib/client";
import { t } from "../../lib/i18n";
import { megalithName } from "../../lib/megaliths";
import { completed, nextPicks } from "../../lib/picking";
import { chained, clause, FIRST_IGNORED, sentence } from "./narration";

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

/** Whether a choice has an immediate effect that the player might not expect, or helps the opponent. */
function isForced({ effects, scorer, transformations }: Consequence, { decider, active }: Moment): boolean {
    const surprises = effects.some((effect) => effect.kind === "banished" || effect.kind === "extra-turn");
    return surprises || (scorer !== null && scorer !== decider) || (transformations.length > 0 && active !== decider);
}

/** Whether the decider can make a transformation right after a choice that does not score itself. */
function allowsTransformation({ scorer, transformations }: Consequence, { decider, active }: Moment): boolean {
    return scorer === null && transformations.length > 0 && active === decider;
}

/**
 * The tags of the next picks: the tile that each uses, the transformation tile if it comes next, and a note for a point
 * or a forced effect.
 */
export function tagsOf(moment: Moment, picks: readonly string[]): Record<string, Tag> {
    if (picks.length === 0) return {};
    return Object.fromEntries(
        completions(moment, picks).map(([pick, choice]) => {
            const found = consequenceOf(moment, choice);
            const scores = found && found.scorer !== null && found.scorer === moment.decider;
            const note = scores ? "+1" : found && isForced(found, moment) ? "!" : undefined;
            const tiles: TileName[] = choice.tile ? [choice.tile] : [];
            if (found && allowsTransformation(found, moment)) tiles.unshift("transformation");
            return [pick, { tiles, note }];
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
    const foretold = completions(moment, picks).flatMap(([pick, choice]) => {
        const found = only === undefined || pick === only ? consequenceOf(moment, choice) : undefined;
        const at = choice.tile && isSpace(pick) ? pick : "none";
        return found ? [{ rank: rankOf(found), sentences: sentencesOf(found, moment, at) }] : [];
    });
    const sentences = foretold.sort((one, other) => one.rank - other.rank).flatMap((each) => each.sentences);
    return [...new Set(sentences)].slice(0, MOST);
}

/** How early a consequence is told: a win comes first, and a megalith that does nothing comes last. */
function rankOf({ effects, transformations }: Consequence): number {
    if (transformations.length > 0) return transformations.some(({ wins }) => wins) ? 0 : 1;
    return effects.some((effect) => effect.kind === "activated" && effect.result === "nothing") ? 2 : 1;
}

/** The consequence in sentences. `at` is the space where the shaman arrives by an action, or `none`. */
function sentencesOf(consequence: Consequence, { decider, active }: Moment, at: string): string[] {
    const { effects, scorer, transformations, ignored } = consequence;
    const sentences: string[] = [];
    const activated = effects.find((effect) => effect.kind === "activated");
    if (activated?.result === "nothing") sentences.push(sentence(clause(activated, ignored ? FIRST_IGNORED : 1)));
    else if (activated) {
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
    const whose = active === decider ? "own" : "other";
    for (const { space, scores, wins } of transformations) {
        const result = wins ? "wins" : scores ? "scores" : "nothing";
        sentences.push(t("cards.ahead.transformation", { at, whose, space, result }));
    }
    return sentences;
}

/** Says which enemy an added shaman would banish; `null` if there is none. With `space`, only an enemy on that space. */
export function addedOnto({ choices, consequences }: Moment, space?: string): string | null {
    for (const { token } of choices.filter(({ tile }) => tile === "add"))
        for (const effect of consequences.find((each) => each.token === token)?.effects ?? [])
            if (effect.kind === "banished" && !effect.power && (space ?? effect.space) === effect.space)
                return t("cards.now.onto", { space: effect.space });
    return null;
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
