import type { TileName } from "@cairn/board/position";
import type { Moment } from "../../lib/client";

/** Whether a tile can be used at this moment. In phases that do not involve tiles, all tiles count as usable. */
export function offersTile({ phase, choices }: Pick<Moment, "phase" | "choices">, tile: TileName): boolean {
    if (phase === "action") return choices.some((choice) => choice.tile === tile);
    return phase !== "transform" || tile === "transformation";
}
