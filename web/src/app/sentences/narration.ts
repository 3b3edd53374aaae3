/** Composes sentences about what happened from the effects of each step. */
import { language, t } from "../../lib/i18n";
import { megalithName } from "../../lib/megaliths";
import type { Effect, Outcome, Step } from "../../lib/client";
import { endReason } from "./endReason";

/** A megalith does nothing from a tribe's third arrival in a turn onwards (P6). */
export const FIRST_IGNORED = 3;

/** A tile's name and the letter of its face, as used in message keys: `addW`, `jumpE`. */
export function faceName(tile: string, letter: string): string {
    return tile + letter.toUpperCase();
}

/**
 * One effect as a clause, without a capital letter or full stop. `arrival` counts how often the tribe's shamans have
 * arrived on the megalith this turn, for the effect `activated`. `before` is the previous effect.
 */
export function clause(effect: Effect, arrival = 1, before?: Effect): string {
    const power = "power" in effect && effect.power ? megalithName(effect.power) : null;
    switch (effect.kind) {
        case "added":
            if (makesRoom(before, effect)) return t("story.added.onto", { ...effect });
            return power ? t("story.added.power", { ...effect, power }) : t("story.added", { ...effect });
        case "moved":
            if (power) return t("story.moved.power", { ...effect, power });
            return effect.over ? t("story.moved.jump", { ...effect }) : t("story.moved.step", { ...effect });
        case "left":
            if (power) return t("story.left.power", { ...effect, power });
            if (effect.over) return t("story.left.over", { ...effect });
            return effect.way === "jump" ? t("story.left.jump", { ...effect }) : t("story.left.step", { ...effect });
        case "banished":
            return power ? t("story.banished.power", { ...effect, power }) : t("story.banished", { ...effect });
        case "shamans-swapped":
            return t("story.shamansSwapped", { ...effect, power });
        case "flipped": {
            const face = faceName(effect.tile, effect.face);
            return power ? t("story.flipped.power", { face, power }) : t("story.flipped", { face });
        }
        case "activated": {
            const params = { ...effect, megalith: megalithName(effect.code) };
            if (effect.result !== "nothing") return t("story.activated", params);
            return t(arrival >= FIRST_IGNORED ? "story.activated.silent" : "story.activated.nothing", params);
        }
        case "copied":
            return t("story.copied", { power: megalithName("SH"), megalith: megalithName(effect.code) });
        case "stopped":
            return t("story.stopped", { megalith: megalithName(effect.code) });
        case "extra-turn":
            return t("story.extraTurn", { ...effect, power });
        case "megalith-moved": {
            const params = { ...effect, power, megalith: megalithName(effect.code) };
            return effect.code === effect.power
                ? t("story.megalithMoved.self", params)
                : t("story.megalithMoved", params);
        }
        case "megaliths-swapped":
            return t("story.megalithsSwapped", { ...effect, power });
        case "replaced":
            return t("story.replaced", {
                space: effect.space,
                power,
                old: megalithName(effect.old),
                new: megalithName(effect.new),
            });
        case "built": {
            if (effect.code === null) return t("story.built.nothingLeft", { tribe: effect.tribe, score: effect.score });
            const params = { tribe: effect.tribe, space: effect.space, megalith: megalithName(effect.code) };
            return power
                ? t("story.built.raised", { ...params, power })
                : t("story.built", { ...params, score: effect.score });
        }
        case "nothing-built":
            return t("story.nothingBuilt", { ...effect });
        case "drawn":
            return t("story.drawn", { megalith: megalithName(effect.code) });
        case "transformed":
            return t("story.transformed", { ...effect });
        case "passed":
            return t("story.passed", { ...effect });
        case "ended":
            return ending(effect);
    }
}

type End = Pick<Outcome, "winner" | "reason">;

/** Why a game ended, without a capital letter or full stop. */
export function reasonOf({ winner, reason }: End): string {
    const known = endReason(reason);
    return known ? t(`story.ended.${known}`, { winner: winner ?? "nobody" }) : "";
}

/** Who won and why, without a full stop. */
export function ending(outcome: End): string {
    const end = t("story.ended", { winner: outcome.winner ?? "nobody" });
    const reason = reasonOf(outcome);
    return reason ? t("story.ended.because", { end, reason }) : end;
}

/** Whether the move list omits an effect, because it is obvious from the previous clause or from the tiles. */
function isPlain(effect: Effect, step: Step): boolean {
    switch (effect.kind) {
        case "flipped":
            return !effect.power;
        case "activated":
            return effect.result !== "nothing";
        case "banished":
            return step.phase === "transform";
        case "passed":
            return true;
        default:
            return false;
    }
}

/** The effects of a step, except the end of the game, which gets its own sentence. */
function happened(step: Step): Effect[] {
    return step.effects.filter((effect) => effect.kind !== "ended");
}

/** Whether an effect banishes the enemy from the space on which a shaman is added next. */
function makesRoom(effect: Effect | undefined, next: Effect | undefined): boolean {
    return effect?.kind === "banished" && !effect.power && next?.kind === "added" && next.space === effect.space;
}

/** Each of these effects as a clause; see `clause`. Adding a shaman onto an enemy is told in one. */
export function clausesWith(effects: readonly Effect[], arrivalOf: (effect: Effect) => number): string[] {
    return effects.flatMap((effect, index) =>
        makesRoom(effect, effects[index + 1]) ? [] : [clause(effect, arrivalOf(effect), effects[index - 1])],
    );
}

/** Each of these effects as a clause. `before` contains the earlier steps of the game. */
function clausesOf(effects: readonly Effect[], { turn }: Step, before: readonly Step[]): string[] {
    const earlier = before.filter((step) => step.turn === turn).flatMap((step) => step.effects);
    const arrivals = new Map<string, number>();
    const count = (effect: Effect): number => {
        if (effect.kind !== "activated") return 0;
        const arrival = `${effect.tribe} ${effect.code}`;
        arrivals.set(arrival, (arrivals.get(arrival) ?? 0) + 1);
        return arrivals.get(arrival) ?? 0;
    };
    earlier.forEach(count);
    return clausesWith(effects, count);
}

/** The clauses of a step within the sentence of its turn. */
function clauses(step: Step, before: readonly Step[]): string[] {
    return clausesOf(
        happened(step).filter((effect) => !isPlain(effect, step)),
        step,
        before,
    );
}

function endOf(step: Step | undefined): string[] {
    return (step?.effects ?? []).flatMap((effect) => (effect.kind === "ended" ? [sentence(ending(effect))] : []));
}

/** Turn a clause into a sentence: add a capital letter and a full stop. */
export function sentence(text: string): string {
    const first = text.charAt(0);
    return first ? t("story.sentence", { text: first.toLocaleUpperCase(language()) + text.slice(1) }) : "";
}

/** Join clauses into one: "first: second; third". */
export function chained([first, ...rest]: string[]): string {
    if (first === undefined) return "";
    const more = rest.reduce((all, next) => (all ? t("story.and", { first: all, second: next }) : next), "");
    return more ? t("story.chain", { first, rest: more }) : first;
}

/** The steps of one turn. */
export interface Turn {
    number: number;
    tribe: Step["active"];
    /** The index in the game of the first step of this turn. */
    start: number;
    steps: Step[];
}

/** The steps of a game, turn by turn. */
export function turnsOf(steps: readonly Step[]): Turn[] {
    const turns: Turn[] = [];
    steps.forEach((step, index) => {
        const last = turns.at(-1);
        if (last?.number === step.turn) last.steps.push(step);
        else turns.push({ number: step.turn, tribe: step.active, start: index, steps: [step] });
    });
    return turns;
}

/** The steps of the last turn, and of any turn that the same tribe took right before it. */
export function lastTurns(steps: readonly Step[]): Step[] {
    const tribe = steps.at(-1)?.active;
    return steps.slice(steps.findLastIndex((step) => step.active !== tribe) + 1);
}

/** A whole turn in one sentence: "Forest jumps from b1 over c2 to d3: Fairies Circle moves …". */
export function turnSentence(turn: Turn): string {
    const all = turn.steps.flatMap((step, index) => clauses(step, turn.steps.slice(0, index)));
    const last = turn.steps.at(-1);
    const end = endOf(last);
    // If all effects of the turn are omitted, as for a pass, describe the last step.
    if (all.length === 0 && end.length === 0) return last ? stepSentence(last, turn.steps.slice(0, -1)) : "";
    return [sentence(chained(all)), ...end].filter(Boolean).join(" ");
}

/**
 * One step as a sentence. If the move list would omit all its effects, they are included. `before` contains the earlier
 * steps of the game.
 */
export function stepSentence(step: Step, before: readonly Step[] = []): string {
    const some = clauses(step, before);
    const all = some.length > 0 ? some : clausesOf(happened(step), step, before);
    return [sentence(chained(all)), ...endOf(step)].filter(Boolean).join(" ");
}

/** All effects of a step, for screen readers. `before` contains the earlier steps of the game. */
export function announcement(step: Step, before: readonly Step[] = []): string {
    // The clause about a transformation mentions the banishment.
    const effects = step.effects.filter((effect) => effect.kind !== "banished" || step.phase !== "transform");
    return clausesOf(effects, step, before).map(sentence).join(" ");
}
