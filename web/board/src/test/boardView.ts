/** Renders a board in a test and sends it pointer events, as a browser would. */
import { fireEvent, render, screen } from "@testing-library/svelte";
import { vi } from "vitest";

import Board from "../Board.svelte";
import { centre, HEIGHT, WIDTH } from "../layout";
import { parsePosition, type Space, type Tribe } from "../position";

export const TABLE = parsePosition("S2S1/1S2S/1F1S1/2F2/F3F c2DR,b3CG,d3CD,a4CS PSMD (ADSA) bdfm 1-2 F");

/** Mocks of the page's handlers. */
function mockHandlers() {
    return { onpick: vi.fn(), onrefuse: vi.fn(), oncancel: vi.fn(), onexplain: vi.fn() };
}

export function shown(props: Partial<Parameters<typeof render<typeof Board>>[1]> & Record<string, unknown> = {}) {
    const handlers = mockHandlers();
    const label = (subject: string) => `the ${subject}`;
    const view = render(Board, { props: { table: TABLE, label, ...handlers, ...props } });
    const cell = (pick: string) => screen.getByLabelText(`the ${pick}`);
    return { ...view, ...handlers, cell };
}

/** The fields of a pointer event at the centre of a space; one board unit is one pixel. */
export function at(space: Space, orientation: Tribe = "forest") {
    const { x, y } = centre(space, orientation);
    return { clientX: x, clientY: y, pointerId: 1, isPrimary: true, button: 0, pointerType: "mouse" };
}

/** Dispatch a pointer event with the fields that the board reads. */
export function pointer(type: string, target: Element, init: ReturnType<typeof at>) {
    const event = new MouseEvent(type, { bubbles: true, cancelable: true, ...init });
    for (const key of ["pointerId", "isPrimary", "pointerType"] as const)
        Object.defineProperty(event, key, { value: init[key] });
    return fireEvent(target, event);
}

/** Place the board at the origin of the page, at one pixel per board unit. */
export function placeBoard(): void {
    vi.spyOn(Element.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, WIDTH, HEIGHT));
}
