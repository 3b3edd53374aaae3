/** Arrows on the board for the engine's best tokens. */
import { villageTribe } from "@cairn/board/layout";
import { isSpace } from "@cairn/board/position";
import type { Shape } from "@cairn/board/shapes";

import type { Choice } from "../../lib/client";

/** An arrow between the last two places of a choice, or a circle around the only one. The best one stands out. */
export function choiceShapes(choices: readonly Choice[], tokens: readonly string[]): Shape[] {
    return tokens.flatMap((token, index): Shape[] => {
        const path = choices.find((choice) => choice.token === token)?.paths[0] ?? [];
        const places = path.filter((pick) => isSpace(pick) || villageTribe(pick));
        const [from, to] = places.slice(-2);
        const look = index === 0 ? ({ tone: "good" } as const) : ({ tone: "plain", faint: true } as const);
        if (from && to) return [{ kind: "arrow", from, to, ...look }];
        return from ? [{ kind: "circle", at: from, ...look }] : [];
    });
}
