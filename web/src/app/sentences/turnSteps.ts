/** Describes the numbered steps of a turn: a few words for the strip, and a sentence. */
import type { Effect } from "@cairn/board/effects";
import type { TurnStep } from "@cairn/board/turn";

import { t } from "../../lib/i18n";
import { megalithName } from "../../lib/megaliths";
import { chained, clause, clausesWith, ending, sentence } from "./narration";

/** A step in a few words. */
export interface ShortStep {
    /** What happened, or the name of the megalith that caused it. */
    readonly title: string;
    /** Where it happened. */
    readonly detail: string;
    /** The code of the megalith to show; `null` for an icon. */
    readonly megalith: string | null;
    readonly icon: "step" | "jump" | "leave" | "add" | "close" | "transform" | "build";
}

export function shortStep({ main, cause }: TurnStep): ShortStep {
    const [title, detail, icon, built = null] = words(main);
    const code = main.kind === "activated" || main.kind === "stopped" ? main.code : null;
    // A copied power is shown under its own name; the link on the board starts at the Shifting Stone.
    const power = ("power" in main && main.power) || code;
    return {
        title: power ? megalithName(power) : title,
        detail: detail || (cause?.space ?? ""),
        megalith: power ?? built,
        icon,
    };
}

/** The title, the detail, the icon and the megalith of a step; steps of a power have no title. */
type Words = [title: string, detail: string, icon: ShortStep["icon"], megalith?: string | null];

function words(effect: Effect): Words {
    switch (effect.kind) {
        case "added":
            return [tileName("add"), `+ ${effect.space}`, "add"];
        case "moved": {
            const [tile, icon] = effect.way === "jump" ? (["jump", "jump"] as const) : (["move", "step"] as const);
            return [tileName(tile), `${effect.origin} → ${effect.target}`, icon];
        }
        case "left": {
            const { origin, over } = effect;
            return [t("story.short.left"), over ? t("story.short.over", { origin, over }) : origin, "leave"];
        }
        case "banished":
            return [t("story.short.banished"), `✕ ${effect.space}`, "close"];
        case "transformed":
            return [tileName("transformation"), `✕ ${effect.space}`, "transform"];
        case "built": {
            const { code, score, space } = effect;
            const title = code ? t("story.short.built") : t("story.short.point", { n: score ?? 0 });
            return [title, score === null ? space : `${space} +1`, "build", code];
        }
        case "nothing-built":
            return [t("story.short.nothingBuilt"), effect.space, "build"];
        case "shamans-swapped":
        case "megaliths-swapped":
            return ["", `${effect.first} ⇄ ${effect.second}`, "step"];
        case "megalith-moved":
            return ["", `${effect.origin} → ${effect.target}`, "step"];
        case "flipped":
            return ["", tileName(effect.tile), "step"];
        case "replaced":
            return ["", effect.space, "build"];
        case "extra-turn":
            return ["", t("story.short.extraTurn"), "step"];
        case "stopped":
            return ["", t("story.short.stopped"), "step"];
        case "activated":
            return ["", effect.result === "nothing" ? t("story.short.nothing") : effect.space, "step"];
        default:
            return [sentence(clause(effect)), "", "step"];
    }
}

function tileName(tile: string): string {
    return t("story.tile", { tile });
}

/** A step as a sentence. The end of the game gets its own sentence. `all` contains the steps of the turn. */
export function turnStepSentence({ main, effects, start }: TurnStep, all: readonly TurnStep[] = []): string {
    const before = all.filter((step) => step.start < start).flatMap((step) => step.effects);
    // Arrivals are counted within a turn, and the count restarts in an extra turn.
    const current = before.slice(before.findLastIndex(({ kind }) => kind === "extra-turn") + 1);
    const arrivals = (effect: Effect) =>
        current.filter(
            (each) =>
                each.kind === "activated" &&
                effect.kind === "activated" &&
                each.tribe === effect.tribe &&
                each.code === effect.code,
        ).length + 1;
    const kept = effects.filter((effect) => effect === main || !isImplied(effect, main));
    const ends = effects.flatMap((effect) => (effect.kind === "ended" ? [sentence(ending(effect))] : []));
    return [sentence(chained(clausesWith(kept, arrivals))), ...ends].filter(Boolean).join(" ");
}

/** Whether the sentence of a step omits an effect, because it is obvious from the others or from the tiles. */
function isImplied(effect: Effect, main: Effect): boolean {
    switch (effect.kind) {
        case "flipped":
            return !effect.power;
        case "banished":
            return main.kind === "transformed";
        case "activated":
        case "passed":
        case "ended":
            return true;
        default:
            return false;
    }
}
