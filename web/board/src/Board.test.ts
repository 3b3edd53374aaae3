import { fireEvent, render, screen, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { parsePosition, SPACES, type Space, type Tribe } from "./position";
import Board from "./Board.svelte";
import { centre, HEIGHT, pickAt, toBoard, WIDTH } from "./layout";
import { tracesOf } from "./marks";
import type { Effect } from "./effects";

const TABLE = parsePosition("S2S1/1S2S/1F1S1/2F2/F3F c2DR,b3CG,d3CD,a4CS PSMD (ADSA) bdfm 1-2 F");

/** A page that reports what it heard. */
function page() {
    return { onpick: vi.fn(), onrefuse: vi.fn(), oncancel: vi.fn(), onexplain: vi.fn() };
}

function shown(props: Partial<Parameters<typeof render<typeof Board>>[1]> & Record<string, unknown> = {}) {
    const heard = page();
    const label = (subject: string) => `the ${subject}`;
    const view = render(Board, { props: { table: TABLE, label, ...heard, ...props } });
    const cell = (pick: string) => screen.getByLabelText(`the ${pick}`);
    return { ...view, ...heard, cell };
}

/** One unit of the board is one pixel. */
function at(space: Space, orientation: Tribe = "forest") {
    const { x, y } = centre(space, orientation);
    return { clientX: x, clientY: y, pointerId: 1, isPrimary: true, button: 0, pointerType: "mouse" };
}

/** jsdom knows no pointer events of its own: these carry what the board reads. */
function pointer(type: string, target: Element, init: ReturnType<typeof at>) {
    const event = new MouseEvent(type, { bubbles: true, cancelable: true, ...init });
    for (const key of ["pointerId", "isPrimary", "pointerType"] as const)
        Object.defineProperty(event, key, { value: init[key] });
    return fireEvent(target, event);
}

beforeEach(() => {
    vi.spyOn(Element.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, WIDTH, HEIGHT));
});

describe("what is drawn", () => {
    it("is every piece once", () => {
        const { container } = shown();
        const pieces = [...container.querySelectorAll("[data-piece]")].map((piece) => piece.getAttribute("data-piece"));
        expect(pieces.sort()).toEqual(
            ["CD", "CG", "CS", "DR", ...[1, 2, 3, 4, 5].flatMap((n) => [`forest-${n}`, `sea-${n}`])].sort(),
        );
        expect(container.querySelectorAll("[href='#cairn-point-scored']")).toHaveLength(3);
        expect(container.querySelectorAll("[href='#cairn-fire']")).toHaveLength(1);
    });

    it.each([
        ["forest", "a5", "e1"],
        ["sea", "e1", "a5"],
    ] as const)("is seen from the side of %s", (orientation, first, last) => {
        shown({ orientation });
        const cells = screen.getAllByRole("gridcell").map((cell) => cell.getAttribute("data-pick"));
        expect([cells[0], cells[24]]).toEqual([first, last]);
        const order = [...document.querySelectorAll("[data-pick]")].map((cell) => cell.getAttribute("data-pick"));
        expect(order.at(-1)).toBe(`village:${orientation}`);
    });

    it("marks targets by shape", () => {
        const targets = new Set(["a2", "c2", "a4", "village:sea", "tile:add"]);
        const { container } = shown({ targets });
        const shapes = [...container.querySelectorAll("[data-target]")].map((mark) => [
            mark.getAttribute("data-target"),
            mark.getAttribute("data-shape"),
        ]);
        expect(Object.fromEntries(shapes)).toEqual({ a2: "dot", c2: "ring", a4: "corners", "village:sea": "glow" });
    });

    it("marks the megalith under a shaman when megaliths are meant", () => {
        const { container } = shown({ targets: new Set(["c2"]), aim: "megalith" });
        expect(container.querySelector("[data-target=c2]")).toHaveAttribute("data-shape", "corners");
    });

    it("marks the last turn by shape", () => {
        const lastTurn: Effect[] = [
            { kind: "moved", tribe: "sea", origin: "e3", target: "d3", way: "step", over: null, power: null },
            { kind: "moved", tribe: "sea", origin: "c4", target: "e3", way: "power", over: null, power: "FC" },
            { kind: "banished", tribe: "forest", space: "c3", power: null },
            { kind: "left", tribe: "forest", origin: "e5", way: "step", power: null },
            { kind: "built", tribe: "forest", code: "CS", space: "a4", slot: 0, score: 1, power: null },
        ];
        const { container } = shown({ lastTurn });
        const count = (trace: string) => container.querySelectorAll(`[data-trace=${trace}]`).length;
        expect([count("left"), count("reached"), count("banished")]).toEqual([3, 3, 1]);
        expect(container.querySelectorAll(".move:not(.rim)")).toHaveLength(3);
    });

    it("marks where the last turn ended, however it went there: what moved on or vanished is not there any more", () => {
        const lastTurn: Effect[] = [
            { kind: "moved", tribe: "sea", origin: "e3", target: "d3", way: "step", over: null, power: null },
            { kind: "moved", tribe: "sea", origin: "d3", target: "c3", way: "power", over: null, power: "FC" },
            { kind: "banished", tribe: "sea", space: "c3", power: null },
            { kind: "banished", tribe: "forest", space: "b1", power: null },
            { kind: "added", tribe: "sea", space: "b1", power: null },
        ];
        const { left, reached, banished } = tracesOf(lastTurn);
        expect({ left, reached, banished }).toEqual({
            left: ["e3", "d3", "c3"],
            reached: ["b1"],
            banished: ["c3", "b1"],
        });
    });

    it("shows which power is applied, and coordinates when they are wanted", () => {
        const { container } = shown({ focus: "c2", coordinates: true });
        expect(container.querySelector("[data-focus=c2]")).toBeInTheDocument();
        expect([...container.querySelectorAll("text")].map((text) => text.textContent).join("")).toBe("abcde12345");
    });
});

describe("what is being shown", () => {
    it("pulses where something happens, and not yet where the next power waits", async () => {
        const effect: Effect = { kind: "activated", tribe: "forest", code: "DR", space: "c2", result: "choice" };
        const view = shown({ focus: "d3", effect });
        const pulsing = () => view.container.querySelector("[data-focus]")?.getAttribute("data-focus");
        expect(pulsing()).toBe("c2");
        await view.rerender({ effect: { kind: "passed", tribe: "forest" } });
        expect(pulsing()).toBeUndefined();
        await view.rerender({ effect: null });
        expect(pulsing()).toBe("d3");
    });

    it("lets a jumping shaman leap", async () => {
        const leap: Effect = {
            kind: "moved",
            tribe: "forest",
            origin: "a1",
            target: "c2",
            way: "jump",
            over: "b1",
            power: null,
        };
        const view = shown({ effect: leap });
        expect(view.container.querySelectorAll(".jumps")).toHaveLength(1);
        await view.rerender({ effect: { ...leap, way: "step" } });
        expect(view.container.querySelectorAll(".jumps")).toHaveLength(0);
    });
});

describe("names", () => {
    it("are given to the grid, its cells and the villages", () => {
        shown();
        expect(screen.getByRole("grid", { name: "the field" })).toBeInTheDocument();
        for (const space of SPACES) expect(screen.getByRole("gridcell", { name: `the ${space}` })).toBeInTheDocument();
        expect(screen.getByRole("button", { name: "the village:sea" })).toBeInTheDocument();
        expect(within(screen.getByRole("grid")).getAllByRole("row")).toHaveLength(5);
    });

    it("come with what can be picked and what was", () => {
        const { cell } = shown({ targets: new Set(["c3"]), selection: ["c2"], alternatives: new Set(["a1"]) });
        expect(cell("c3")).toHaveAttribute("aria-disabled", "false");
        expect(cell("a1")).toHaveAttribute("aria-disabled", "false");
        expect(cell("e5")).toHaveAttribute("aria-disabled", "true");
        expect(cell("c2")).toHaveAttribute("aria-selected", "true");
        expect(cell("c3")).not.toHaveAttribute("aria-selected");
    });
});

describe("clicks", () => {
    it("report what can be picked, refuse what cannot, and cancel what was", async () => {
        const user = userEvent.setup();
        const targets = new Set(["c3", "village:sea"]);
        const { cell, onpick, onrefuse, oncancel } = shown({
            targets,
            alternatives: new Set(["a1"]),
            selection: ["c2"],
        });
        for (const pick of ["c3", "village:sea", "a1", "e5", "village:forest", "c2"]) await user.click(cell(pick));
        expect(onpick.mock.calls.flat()).toEqual(["c3", "village:sea", "a1"]);
        expect(onrefuse.mock.calls.flat()).toEqual(["e5", "village:forest"]);
        expect(oncancel).toHaveBeenCalledOnce();
    });
});

describe("keys", () => {
    it("walk over the field and into the villages", async () => {
        const user = userEvent.setup();
        const { cell, onpick } = shown({ targets: new Set(["d4", "village:sea"]) });
        cell("c3").focus();
        const walk = async (keys: string) => {
            await user.keyboard(keys);
            return document.activeElement?.getAttribute("data-pick");
        };
        expect(await walk("{ArrowRight}{ArrowUp}")).toBe("d4");
        expect(cell("d4")).toHaveAttribute("tabindex", "0");
        expect(cell("c3")).toHaveAttribute("tabindex", "-1");
        await user.keyboard("{Enter}");
        expect(await walk("{ArrowUp}{ArrowUp}")).toBe("village:sea");
        await user.keyboard(" ");
        expect(onpick.mock.calls.flat()).toEqual(["d4", "village:sea"]);
        expect(await walk("{ArrowUp}")).toBe("village:sea");
        expect(await walk("{ArrowDown}")).toBe("d5");
        expect(await walk("{Home}")).toBe("a5");
        expect(await walk("{ArrowLeft}")).toBe("a5");
        expect(await walk("{End}")).toBe("e5");
        expect(await walk("{Control>}{Home}{/Control}")).toBe("a5");
        expect(await walk("{Control>}{End}{/Control}")).toBe("e1");
        expect(await walk("{ArrowDown}")).toBe("village:forest");
    });

    it("point where the viewer sees it", async () => {
        const user = userEvent.setup();
        const { cell } = shown({ orientation: "sea" });
        cell("c3").focus();
        await user.keyboard("{ArrowUp}{ArrowLeft}");
        expect(document.activeElement).toHaveAttribute("data-pick", "d2");
    });

    it("refuse and cancel", async () => {
        const user = userEvent.setup();
        const { cell, onrefuse, oncancel } = shown();
        cell("b2").focus();
        await user.keyboard("{Enter}{Escape}");
        expect(onrefuse).toHaveBeenCalledWith("b2");
        expect(oncancel).toHaveBeenCalledOnce();
    });

    it("reach the field by one Tab stop", async () => {
        const user = userEvent.setup();
        shown();
        const stops: (string | null | undefined)[] = [];
        for (let count = 0; count < 3; count++) {
            await user.tab();
            stops.push(document.activeElement?.getAttribute("data-pick"));
        }
        expect(stops).toEqual(["village:sea", "c3", "village:forest"]);
    });
});

describe("drags", () => {
    async function drag(view: ReturnType<typeof shown>, from: Space, to: Partial<ReturnType<typeof at>>) {
        const board = view.container.querySelector("svg") as SVGSVGElement;
        await pointer("pointerdown", view.cell(from), at(from));
        await pointer("pointermove", board, { ...at(from), clientX: at(from).clientX + 20 });
        await view.rerender({ targets: new Set(["b2", "village:sea"]), selection: [from] });
        await pointer("pointermove", board, { ...at(from), ...to });
        return { board, end: { ...at(from), ...to } };
    }

    it("report where they begin and where they end", async () => {
        const view = shown({ targets: new Set(["a1", "c2"]) });
        const { board, end } = await drag(view, "a1", at("b2"));
        expect(view.onpick.mock.calls.flat()).toEqual(["a1"]);
        const shaman = view.container.querySelector<SVGElement>(".held");
        expect(shaman?.style.transform).toBe(`translate(${end.clientX - 43}px, ${end.clientY - 43}px)`);
        await pointer("pointerup", board, end);
        await fireEvent.click(view.cell("b2"));
        expect(view.onpick.mock.calls.flat()).toEqual(["a1", "b2"]);
        expect(view.onrefuse).not.toHaveBeenCalled();
    });

    it("leave the field in a village", async () => {
        const view = shown({ targets: new Set(["a1"]) });
        const { board, end } = await drag(view, "a1", { clientX: 300, clientY: 40 });
        await pointer("pointerup", board, end);
        expect(view.onpick.mock.calls.flat()).toEqual(["a1", "village:sea"]);
    });

    it("cancel when they end elsewhere, or when the pointer is lost", async () => {
        const view = shown({ targets: new Set(["a1"]) });
        const { board, end } = await drag(view, "a1", at("e4"));
        await pointer("pointerup", board, end);
        expect(view.oncancel).toHaveBeenCalledTimes(1);
        await pointer("pointerdown", view.cell("a1"), at("a1"));
        await pointer("pointermove", board, at("b2"));
        await pointer("pointercancel", board, at("b2"));
        expect(view.oncancel).toHaveBeenCalledTimes(2);
        expect(view.container.querySelector(".held")).toBeNull();
    });

    it("measure the board once, and again after the page scrolled", async () => {
        const view = shown({ targets: new Set(["a1"]) });
        const measured = vi.mocked(Element.prototype.getBoundingClientRect);
        measured.mockClear();
        const { board } = await drag(view, "a1", at("b2"));
        for (const space of ["b3", "c3", "c4"] as const) await pointer("pointermove", board, at(space));
        expect(measured).toHaveBeenCalledTimes(1);
        window.dispatchEvent(new Event("scroll"));
        await pointer("pointermove", board, at("b2"));
        await pointer("pointerup", board, at("b2"));
        expect(measured).toHaveBeenCalledTimes(2);
        expect(view.onpick.mock.calls.flat()).toEqual(["a1", "b2"]);
    });

    it("that come back leave the piece picked", async () => {
        const view = shown({ targets: new Set(["a1"]) });
        const { board, end } = await drag(view, "a1", at("a1"));
        await pointer("pointerup", board, end);
        expect(view.onpick.mock.calls.flat()).toEqual(["a1"]);
        expect(view.oncancel).not.toHaveBeenCalled();
    });

    it("keep a finger from scrolling the page, and only where something can be taken", async () => {
        const view = shown({ targets: new Set(["a1"]) });
        const board = view.container.querySelector("svg") as SVGSVGElement;
        const scrolls = async (from: Space) => {
            await pointer("pointerdown", view.cell(from), at(from));
            return fireEvent(board, new Event("touchmove", { bubbles: true, cancelable: true }));
        };
        expect(await scrolls("a1")).toBe(false);
        expect(await scrolls("e1")).toBe(true);
    });

    it("do not begin where nothing can be picked, or nothing stands", async () => {
        const view = shown({ targets: new Set(["a1", "a2"]) });
        const board = view.container.querySelector("svg") as SVGSVGElement;
        for (const from of ["e1", "a2"] as const) {
            await pointer("pointerdown", view.cell(from), at(from));
            await pointer("pointermove", board, at("c3"));
            await pointer("pointerup", board, at("c3"));
        }
        expect(view.onpick).not.toHaveBeenCalled();
        expect(view.oncancel).not.toHaveBeenCalled();
    });
});

describe("explanations", () => {
    it("are asked for by hover and by focus", async () => {
        const view = shown();
        await pointer("pointerover", view.cell("c2"), at("c2"));
        await pointer("pointerout", view.cell("c2"), at("c2"));
        view.cell("village:sea").focus();
        view.cell("village:sea").blur();
        expect(view.onexplain.mock.calls.flat()).toEqual(["c2", null, "village:sea", null]);
    });

    it("are asked for by a long press of a finger, which picks nothing", async () => {
        vi.useFakeTimers();
        const view = shown({ targets: new Set(["c2"]) });
        const finger = { ...at("c2"), pointerType: "touch" };
        await pointer("pointerdown", view.cell("c2"), finger);
        vi.advanceTimersByTime(500);
        await pointer("pointerup", view.cell("c2"), finger);
        await fireEvent.click(view.cell("c2"));
        vi.useRealTimers();
        expect(view.onexplain).toHaveBeenCalledWith("c2");
        expect(view.onpick).not.toHaveBeenCalled();
        await fireEvent.click(view.cell("c2"));
        expect(view.onpick).toHaveBeenCalledWith("c2");
    });
});

describe("a slow press", () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    async function pressSlowly(view: ReturnType<typeof shown>, space: Space, pointerType: "mouse" | "touch") {
        const board = view.container.querySelector("svg") as SVGSVGElement;
        const start = { ...at(space), pointerType };
        await pointer("pointerdown", view.cell(space), start);
        await vi.advanceTimersByTimeAsync(2000);
        return { board, start };
    }

    it("of the mouse is a click", async () => {
        const view = shown({ targets: new Set(["c2"]) });
        const { board, start } = await pressSlowly(view, "c2", "mouse");
        await pointer("pointerup", board, start);
        await fireEvent.click(view.cell("c2"));
        expect(view.onpick.mock.calls.flat()).toEqual(["c2"]);
        expect(view.onexplain).not.toHaveBeenCalled();
    });

    it.each(["mouse", "touch"] as const)("by %s can still become a drag", async (pointerType) => {
        const view = shown({ targets: new Set(["a1"]) });
        const { board, start } = await pressSlowly(view, "a1", pointerType);
        await pointer("pointermove", board, { ...start, clientX: start.clientX + 20 });
        expect(view.onpick.mock.calls.flat()).toEqual(["a1"]);
        await view.rerender({ targets: new Set(["b2"]), selection: ["a1"] });
        await pointer("pointerup", board, { ...start, ...at("b2"), pointerType });
        await fireEvent.click(view.cell("b2"));
        expect(view.onpick.mock.calls.flat()).toEqual(["a1", "b2"]);
    });
});

describe("changes", () => {
    it("move the same piece", async () => {
        const view = shown({ pace: 200 });
        const before = view.container.querySelector<SVGElement>("[data-piece=forest-5]");
        const place = before?.style.transform;
        const moved = parsePosition("S2S1/1S2S/1F1S1/2F2/F2F1 c2DR,b3CG,d3CD,a4CS PSMD (ADSA) bdfm 1-2 S");
        const id = [...view.container.querySelectorAll<SVGElement>("[data-piece^=forest]")].map((piece) => [
            piece.dataset.piece,
            piece.style.transform,
        ]);
        await view.rerender({ table: moved });
        const after = [...view.container.querySelectorAll<SVGElement>("[data-piece^=forest]")].map((piece) => [
            piece.dataset.piece,
            piece.style.transform,
        ]);
        const changed = after.filter(([, transform], index) => transform !== id[index]?.[1]);
        expect(changed).toHaveLength(1);
        expect(after.map(([name]) => name)).toEqual(id.map(([name]) => name));
        expect(view.container.querySelector("[data-piece=forest-5]")).toBe(before);
        expect(place).toBeTruthy();
    });

    it("let a new megalith rise, and not those that were there", async () => {
        const view = shown();
        expect(view.container.querySelector(".rises")).toBeNull();
        await view.rerender({
            table: parsePosition("S2S1/1S2S/1F1S1/2F2/F3F c1PS,c2DR,b3CG,d3CD,a4CS --MD (ADSA) bdfm 2-2 F"),
        });
        const risen = [...view.container.querySelectorAll(".rises")].map((piece) => piece.parentElement?.dataset.piece);
        expect(risen).toEqual(["PS"]);
    });
});

describe("the layout", () => {
    it("finds every space and village under a point, from both sides", () => {
        for (const orientation of ["forest", "sea"] as const) {
            for (const space of SPACES) expect(pickAt(centre(space, orientation), orientation)).toBe(space);
            expect(pickAt({ x: 200, y: HEIGHT - 10 }, orientation)).toBe(`village:${orientation}`);
            expect(pickAt({ x: -5, y: 300 }, orientation)).toBeNull();
            expect(pickAt({ x: 5, y: 300 }, orientation)).toBeNull();
        }
    });

    it("knows where a board lies that is centred in a wider box", () => {
        const box = { left: 10, top: 20, width: 2 * WIDTH + 100, height: 2 * HEIGHT };
        expect(toBoard(10 + 50, 20, box)).toEqual({ x: 0, y: 0 });
        expect(toBoard(10 + 50 + 2 * WIDTH, 20 + 2 * HEIGHT, box)).toEqual({ x: WIDTH, y: HEIGHT });
    });
});
