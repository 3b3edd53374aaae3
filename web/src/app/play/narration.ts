/**
 * What happened, as sentences in the language of the page, from the effects that the server tells.
 *
 * An effect does not say which megalith caused it; the effects before it in the same turn do.
 */
import { language, t } from "../../lib/i18n";
import { megalithName } from "../../lib/megaliths";
import type { Effect, Outcome, Step } from "../../lib/client";

/** What a sentence needs to know beside its effect. */
export interface Scene {
    /** The megalith whose power is at work. */
    power: string | null;
}

/** The letter of a tile's face in a position text, with its tile: `addW`, `jumpE`. */
export function faceName(tile: string, letter: string): string {
    return tile + letter.toUpperCase();
}

/** One effect, without capital letter and full stop. */
export function clause(effect: Effect, scene: Scene): string {
    const power = scene.power && megalithName(scene.power);
    switch (effect.kind) {
        case "added":
            return power ? t("story.added.power", { ...effect, power }) : t("story.added", { ...effect });
        case "moved":
            if (effect.way === "jump" && effect.over) return t("story.moved.jump", { ...effect });
            return power && effect.way === "power"
                ? t("story.moved.power", { ...effect, power })
                : t("story.moved.step", { ...effect });
        case "left":
            if (effect.way === "jump") return t("story.left.jump", { ...effect });
            return power && effect.way === "power"
                ? t("story.left.power", { ...effect, power })
                : t("story.left.step", { ...effect });
        case "banished":
            return power ? t("story.banished.power", { ...effect, power }) : t("story.banished", { ...effect });
        case "shamans-swapped":
            return t("story.shamansSwapped", { ...effect, power: power ?? megalithName("WC") });
        case "flipped": {
            const face = faceName(effect.tile, effect.face);
            return power && effect.tile !== "transformation"
                ? t("story.flipped.power", { face, power })
                : t("story.flipped", { face });
        }
        case "activated": {
            const megalith = megalithName(effect.code);
            return effect.result === "nothing"
                ? t("story.activated.nothing", { ...effect, megalith })
                : t("story.activated", { ...effect, megalith });
        }
        case "copied":
            return t("story.copied", { power: megalithName("SH"), megalith: megalithName(effect.code) });
        case "stopped":
            return t("story.stopped", { megalith: megalithName(effect.code) });
        case "extra-turn":
            return t("story.extraTurn", { ...effect, power: power ?? megalithName("PS") });
        case "megalith-moved": {
            const mover = scene.power ?? "SA";
            const params = { ...effect, power: megalithName(mover), megalith: megalithName(effect.code) };
            return effect.code === mover ? t("story.megalithMoved.self", params) : t("story.megalithMoved", params);
        }
        case "megaliths-swapped":
            return t("story.megalithsSwapped", { ...effect, power: power ?? megalithName("SW") });
        case "replaced":
            return t("story.replaced", {
                space: effect.space,
                power: power ?? megalithName("SS"),
                old: megalithName(effect.old),
                new: megalithName(effect.new),
            });
        case "built": {
            if (effect.code === null) return t("story.built.nothingLeft", { tribe: effect.tribe, score: effect.score });
            const params = { tribe: effect.tribe, space: effect.space, megalith: megalithName(effect.code) };
            return effect.score === null
                ? t("story.built.raised", { ...params, power: power ?? megalithName("HE") })
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

/** Who won and why, without full stop. */
export function ending(outcome: Pick<Outcome, "winner" | "reason">): string {
    const params = { winner: outcome.winner ?? "nobody" };
    switch (outcome.reason) {
        case "score":
            return t("story.ended.score", params);
        case "no-action":
            return t("story.ended.noAction", params);
        case "repetition":
            return t("story.ended.repetition");
        case "agreement":
            return t("story.ended.agreement");
        case "resignation":
            return t("story.ended.resignation", params);
        case "time":
            return t("story.ended.time", params);
        case "abandoned":
            return t("story.ended.abandoned", params);
        default:
            return t("story.ended", params);
    }
}

/** A step's effects, each with the megalith that was at work. */
interface Scened {
    step: Step;
    effects: { effect: Effect; scene: Scene }[];
}

/** Which megalith was at work in every step; `steps` begin where a turn begins. */
export function scenes(steps: readonly Step[]): Scened[] {
    let power: string | null = null;
    return steps.map((step) => {
        if (step.phase !== "power") power = null;
        const effects = step.effects.map((effect) => {
            const scene = { power };
            if (effect.kind === "copied") power = effect.code;
            if (effect.kind === "activated") power = effect.result === "nothing" ? null : effect.code;
            return { effect, scene };
        });
        return { step, effects };
    });
}

/** What goes without saying in the move list: it follows from the clause before, or can be seen on the tiles. */
function isPlain(effect: Effect, scene: Scene, step: Step): boolean {
    switch (effect.kind) {
        case "flipped":
            return effect.tile === "transformation" || !scene.power;
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

/** What a step says in the whole of its turn. How the game ended is a sentence of its own. */
function clauses({ step, effects }: Scened): string[] {
    return effects
        .filter(({ effect, scene }) => effect.kind !== "ended" && !isPlain(effect, scene, step))
        .map(({ effect, scene }) => clause(effect, scene));
}

function endOf(step: Step | undefined): string[] {
    return (step?.effects ?? []).flatMap((effect) => (effect.kind === "ended" ? [sentence(ending(effect))] : []));
}

/** With a capital letter and a full stop. */
export function sentence(text: string): string {
    const first = text.charAt(0);
    return first ? t("story.sentence", { text: first.toLocaleUpperCase(language()) + text.slice(1) }) : "";
}

function chained([first, ...rest]: string[]): string {
    if (first === undefined) return "";
    const more = rest.reduce((all, next) => (all ? t("story.and", { first: all, second: next }) : next), "");
    return more ? t("story.chain", { first, rest: more }) : first;
}

/** The steps of one turn. */
export interface Turn {
    number: number;
    tribe: Step["active"];
    /** The index of its first step in the game. */
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

/** A whole turn in one sentence: "Forest jumps from b1 over c2 to d3: Fairies Circle moves …". */
export function turnSentence(turn: Turn): string {
    const told = scenes(turn.steps).flatMap(clauses);
    const end = endOf(turn.steps.at(-1));
    // A turn in which nothing needed saying, such as one that ends the game by a pass.
    if (told.length === 0 && end.length === 0) return stepSentences(turn).at(-1) ?? "";
    return [sentence(chained(told)), ...end].filter(Boolean).join(" ");
}

/** Every step of a turn in a sentence of its own; a step that goes without saying in the whole is told here. */
export function stepSentences(turn: Turn): string[] {
    return scenes(turn.steps).map((scened) => {
        const told = clauses(scened);
        const effects = scened.effects.filter(({ effect }) => effect.kind !== "ended");
        const all = told.length > 0 ? told : effects.map(({ effect, scene }) => clause(effect, scene));
        return [sentence(chained(all)), ...endOf(scened.step)].filter(Boolean).join(" ");
    });
}

/** Everything that a step did, for somebody who cannot see the tiles turn; `before` are the turn's earlier steps. */
export function announcement(before: readonly Step[], step: Step): string {
    const scened = scenes([...before, step]).at(-1);
    return scened ? scened.effects.map(({ effect, scene }) => sentence(clause(effect, scene))).join(" ") : "";
}
