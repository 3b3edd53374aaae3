import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { mount, parsePosition, writePosition, type BoardApi, type Config, type Effect } from "./index";

const START = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F";
const MOVED = "S1S1S/5/5/F4/2F1F b3CG,d3CD DRMD (ADCSPSSA) wdfm 0-0 S";
const EFFECTS: Effect[] = [
    { kind: "moved", tribe: "forest", origin: "a1", target: "a2", way: "step" },
    { kind: "flipped", tile: "move", face: "d" },
];

describe("a mounted board", () => {
    let element: HTMLElement;
    let board: BoardApi | null = null;

    beforeEach(() => {
        element = document.body.appendChild(document.createElement("div"));
    });
    afterEach(() => {
        board?.destroy();
        board = null;
        element.remove();
    });

    function show(config: Partial<Config> = {}): BoardApi {
        board = mount(element, { position: START, ...config });
        return board;
    }

    const cell = (pick: string) => element.querySelector<SVGElement>(`[data-pick="${pick}"]`) as SVGElement;
    const click = (pick: string) => cell(pick).dispatchEvent(new MouseEvent("click", { bubbles: true }));

    it("shows a position, with English labels unless the page provides others", () => {
        const api = show();
        expect(writePosition(api.table)).toBe(START);
        expect(cell("a1").getAttribute("aria-label")).toBe("a1, Forest shaman");
        expect(cell("b3").getAttribute("aria-label")).toBe("b3, megalith CG");
        api.set({ label: (subject) => `the ${subject}` });
        expect(cell("a1").getAttribute("aria-label")).toBe("the a1");
    });

    it("accepts arrays as targets, and reports picks to the current handlers", () => {
        const [first, second, refuse] = [vi.fn(), vi.fn(), vi.fn()];
        const api = show({ targets: ["a1"], onpick: first, onrefuse: refuse });
        click("a1");
        click("b2");
        api.set({ targets: ["b2"], selection: ["a1"], onpick: second });
        click("b2");
        expect(first.mock.calls.flat()).toEqual(["a1"]);
        expect(refuse.mock.calls.flat()).toEqual(["b2"]);
        expect(second.mock.calls.flat()).toEqual(["b2"]);
    });

    it("changes only the given fields", () => {
        const api = show({ coordinates: true });
        api.set({ position: parsePosition(MOVED) });
        expect(cell("a2").getAttribute("aria-label")).toBe("a2, Forest shaman");
        expect(element.querySelectorAll("text")).toHaveLength(10);
    });

    it("shows the tiles and the supply on request", () => {
        const deck = vi.fn();
        const api = show({ ondeck: deck });
        expect(cell("tile:jump")).toBeNull();
        api.set({ tiles: true });
        expect(cell("tile:jump").getAttribute("aria-label")).toBe("jump tile, face f up");
        expect(cell("slot:0").getAttribute("aria-label")).toBe("Upcoming megalith DR");
        click("deck");
        expect(deck).toHaveBeenCalledOnce();
    });

    it("plays effects until a new position cancels them", async () => {
        const api = show();
        expect(await api.play(EFFECTS)).toBe(true);
        expect(api.table.shamans.a2).toBe("forest");
        const slow = api.play(EFFECTS, 60_000);
        api.set({ position: START });
        expect(await slow).toBe(false);
        expect(writePosition(api.table)).toBe(START);
    });

    it("installs the drawing sheet only once", () => {
        document.getElementById("cairn-sheet")?.remove();
        show();
        const other = mount(document.body.appendChild(document.createElement("div")), { position: START });
        expect(document.querySelectorAll("#cairn-sheet")).toHaveLength(1);
        other.destroy();
    });

    it("leaves nothing behind when it is destroyed", () => {
        show().destroy();
        board = null;
        expect(element.childElementCount).toBe(0);
    });
});
