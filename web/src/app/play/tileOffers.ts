import type { TileName } from "@cairn/board/position";
import type { Moment } from "../../lib/client";

/** Whether a tile can be used at this moment: for an action, by a power, or for a transformation. */
export function offersTile({ phase, choices }: Pick<Moment, "phase" | "choices">, tile: TileName): boolean {
    if (phase === "transform") return tile === "transformation";
    return choices.some(({ paths }) => paths.some((path) => path.includes(`tile:${tile}`)));
}
