/** Sentences that explain why a tap had no effect. */
import type { Moment, Seats, TribeName, UndoOffer } from "../../lib/client";
import { t, type MessageKey } from "../../lib/i18n";
import { nextPicks, openPicks } from "../../lib/picking";
import { isSpace, isTribe, otherTribe, parsePosition, type Faces, type TileName } from "@cairn/board/position";
import { addedOnto } from "./consequences";
import { faceName } from "./narration";
import { unconfirmed } from "./prompt";

/** Everything that a refusal depends on. */
export interface Refused {
    moment: Moment;
    seats: Seats;
    picks: readonly string[];
    pick: string;
    /** The tribes of this player in an online game; `null` in other games. */
    mine?: readonly TribeName[] | null;
    /** Whether a token is pending. */
    pending: boolean;
    /** Whether an earlier moment is shown. */
    replay: boolean;
}

export interface Refusal {
    key: MessageKey;
    params: Record<string, string>;
}

/** Why nothing can be picked now; `null` if something can. */
function closed({ moment, seats, mine, pending, replay }: Refused): Refusal | null {
    if (replay) return { key: "play.refused.replay", params: {} };
    if (moment.outcome) return { key: "play.refused.over", params: {} };
    if (pending) return { key: "play.refused.pending", params: {} };
    if (mine?.length === 0) return { key: "online.refused.watching", params: {} };
    const asked = moment.held ?? moment.decider;
    if (mine && isTribe(asked) && !mine.includes(asked))
        return moment.held
            ? { key: "online.prompt.held", params: unconfirmed(moment, asked, seats) }
            : { key: "online.refused.other", params: { tribe: asked } };
    if (moment.held) return { key: "play.refused.held", params: {} };
    const { decider } = moment;
    if (isTribe(decider)) {
        if (seats[decider].kind === "computer") return { key: "play.refused.thinking", params: { tribe: decider } };
    } else return { key: "play.refused.wait", params: {} };
    return null;
}

function faceShort(tile: TileName, faces: Faces): string {
    return t("story.faceShort", { face: faceName(tile, faces[tile]) });
}

/** The visible face of a tile, as used in message keys. */
function shownFace(tile: TileName, { position }: Moment): string {
    return faceName(tile, parsePosition(position).faces[tile]);
}

/** Why a space cannot be picked. */
function refusedSpace(refused: Refused, decider: TribeName): Refusal {
    const { moment, picks, pick } = refused;
    const { shamans, faces } = parsePosition(moment.position);
    const standing = isSpace(pick) ? shamans[pick] : undefined;
    const [first = ""] = picks;
    const tile = first.startsWith("tile:") ? (first.slice(5) as TileName) : null;
    const params = {
        space: pick,
        tribe: decider,
        enemy: otherTribe(decider),
        move: faceShort("move", faces),
        jump: faceShort("jump", faces),
        ...(tile ? { tile: t("story.tile", { tile }), face: faceShort(tile, faces) } : {}),
    };
    const next = [...nextPicks(moment.choices, picks).keys()];
    if (moment.phase === "action") {
        const target = picks.length > 0 && next.some((each) => isSpace(each) && !shamans[each]);
        if (standing === decider) {
            const byTile = tile && openPicks(moment.choices, []).has(pick);
            return { key: byTile ? "cards.refused.notByTile" : "cards.refused.stuck", params };
        }
        if (standing && !target && addedOnto(moment, pick)) return { key: "cards.refused.onto", params };
        if (standing) return { key: target ? "play.refused.taken" : "play.refused.notYours", params };
        if (!target) return { key: "play.refused.nobody", params };
        return { key: tile ? "cards.refused.byTile" : "cards.refused.unreachable", params };
    }
    if (picks.length > 0 && standing && next.some((each) => isSpace(each)))
        return { key: "play.refused.taken", params };
    if (moment.phase === "build") return { key: "play.refused.build", params };
    if (moment.phase === "transform") return { key: "play.refused.transform", params };
    return { key: picks.length > 0 ? "play.refused.unreachable" : "play.refused.notAsked", params };
}

/** Why the pick is refused. */
export function refusal(refused: Refused): Refusal {
    const shut = closed(refused);
    if (shut) return shut;
    const { moment, pick } = refused;
    const decider = moment.decider === "sea" ? "sea" : "forest";
    const [kind, name = ""] = pick.split(":");
    switch (kind) {
        case "tile":
            if (name === "transformation") return { key: "play.refused.transformation", params: {} };
            if (moment.phase !== "action") return { key: "play.refused.tileLater", params: {} };
            return { key: "cards.unusable", params: { face: shownFace(name as TileName, moment) } };
        case "slot":
            return { key: "play.refused.slot", params: {} };
        case "village":
            if (name === decider)
                return {
                    key: moment.phase === "action" ? "play.refused.village" : "play.refused.notAsked",
                    params: { space: "" },
                };
            return { key: refused.picks.length > 0 ? "play.refused.noExit" : "play.refused.enemyVillage", params: {} };
        case "button":
        case "deck":
            return { key: "play.refused.notAsked", params: { space: "" } };
        default:
            return refusedSpace(refused, decider);
    }
}

/** The refusal as a sentence in the page language. */
export function refusalSentence(refused: Refused): string {
    const { key, params } = refusal(refused);
    return t(key, params);
}

/** Why nothing can be undone: the authority's reason, `asking` (the opponent must agree) or `watching` (spectators). */
export type UndoRefusal = NonNullable<UndoOffer["no_step"]> | "asking" | "watching";

export function undoRefusal(why: UndoRefusal): string {
    if (why === "watching") return t("online.refused.watching");
    return why === "asking" ? t("online.problem.takeback-needed") : t("play.undo.off", { why });
}
