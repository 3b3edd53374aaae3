import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { render } from "@testing-library/svelte";
import { expect, it } from "vitest";

import Board from "./Board.svelte";
import { parsePosition, type Space } from "./position";
import { sceneOf } from "./scene";

/** The picture in the documentation, drawn by Python; tests/svg checks that it is up to date. */
const PICTURE = readFileSync(resolve(import.meta.dirname, "../../../docs/images/board.svg"), "utf-8");
const TABLE = parsePosition("S2S1/1S2S/1F1S1/2F2/F3F c2DR,b3CG,d3CD,a4CS PSMD (ADSA) bdfm 1-1 F");
/** The margin of the picture. */
const MARGIN = 4;

it("the web board and the Python drawing put every piece in the same place", () => {
    const picture = new DOMParser().parseFromString(PICTURE, "image/svg+xml");
    const whole = picture.querySelector("svg > g")?.getAttribute("transform");
    expect(whole).toBe(`translate(${MARGIN} ${MARGIN})`);
    const { container } = render(Board, { props: { table: TABLE, label: (subject: string) => subject } });
    const { standing } = sceneOf(TABLE);
    let compared = 0;
    for (const piece of picture.querySelectorAll("[data-space]")) {
        const space = piece.getAttribute("data-space") as Space;
        const isShaman = piece.getAttribute("class")?.startsWith("shaman");
        const id = isShaman ? standing[space] : TABLE.megaliths[space];
        const here = container.querySelector<SVGElement>(`[data-piece="${id}"]`);
        const [x, y, scale] = (piece.getAttribute("transform")?.match(/[\d.]+/g) ?? []).map(Number);
        expect(here?.style.transform).toBe(`translate(${x}px, ${y}px)`);
        if (isShaman) {
            const size = here?.querySelector<SVGElement>(".size")?.style.transform;
            expect(Number(size?.match(/[\d.]+/)?.[0])).toBeCloseTo(scale ?? 0);
        }
        compared++;
    }
    expect(compared).toBe(Object.keys(TABLE.shamans).length + Object.keys(TABLE.megaliths).length);
});
