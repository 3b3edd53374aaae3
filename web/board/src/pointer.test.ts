import { fireEvent } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { Space } from "./position";
import { at, placeBoard, pointer, shown } from "./test/boardView";

beforeEach(placeBoard);

describe("drags", () => {
    afterEach(() => void vi.useRealTimers());

    async function drag(view: ReturnType<typeof shown>, from: Space, to: Partial<ReturnType<typeof at>>) {
        const board = view.container.querySelector("svg") as SVGSVGElement;
        await pointer("pointerdown", view.cell(from), at(from));
        await pointer("pointermove", board, { ...at(from), clientX: at(from).clientX + 20 });
        await view.rerender({ targets: new Set(["b2", "village:sea"]), selection: [from] });
        await pointer("pointermove", board, { ...at(from), ...to });
        return { board, end: { ...at(from), ...to } };
    }

    it("report where they start and where they end", async () => {
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

    it("leave a dropped piece on its target for the full waiting time, even shortly after another drop", async () => {
        vi.useFakeTimers();
        const view = shown({ targets: new Set(["a1", "c2"]) });
        const held = () => view.container.querySelector<SVGElement>(".held");
        const first = await drag(view, "a1", at("b2"));
        await pointer("pointerup", first.board, first.end);
        await vi.advanceTimersByTimeAsync(600);
        await view.rerender({ targets: new Set(["c2"]), selection: [] });
        const pieces = [...view.container.querySelectorAll<SVGElement>("[data-piece]")];
        const places = new Map(pieces.map((piece) => [piece, piece.style.transform]));
        const second = await drag(view, "c2", at("b2"));
        const piece = held();
        const home = piece && places.get(piece);
        await pointer("pointerup", second.board, second.end);
        expect(view.onpick.mock.calls.flat()).toEqual(["a1", "b2", "c2", "b2"]);
        const there = piece?.style.transform;
        expect(there).not.toBe(home);
        await vi.advanceTimersByTimeAsync(600);
        expect(piece?.style.transform).toBe(there);
        await vi.advanceTimersByTimeAsync(100);
        expect(piece?.style.transform).toBe(home);
    });

    it("can end in a village", async () => {
        const view = shown({ targets: new Set(["a1"]) });
        const { board, end } = await drag(view, "a1", { clientX: 300, clientY: 40 });
        await pointer("pointerup", board, end);
        expect(view.onpick.mock.calls.flat()).toEqual(["a1", "village:sea"]);
    });

    it("are cancelled when they do not end on a target or when the pointer is lost", async () => {
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

    it("measure the board once, and again after the page scrolls", async () => {
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

    it("that end where they started keep the selection", async () => {
        const view = shown({ targets: new Set(["a1"]) });
        const { board, end } = await drag(view, "a1", at("a1"));
        await pointer("pointerup", board, end);
        expect(view.onpick.mock.calls.flat()).toEqual(["a1"]);
        expect(view.oncancel).not.toHaveBeenCalled();
    });

    it("prevent scrolling with a finger, but only where a drag can start", async () => {
        const view = shown({ targets: new Set(["a1"]) });
        const board = view.container.querySelector("svg") as SVGSVGElement;
        const scrolls = async (from: Space) => {
            await pointer("pointerdown", view.cell(from), at(from));
            return fireEvent(board, new Event("touchmove", { bubbles: true, cancelable: true }));
        };
        expect(await scrolls("a1")).toBe(false);
        expect(await scrolls("e1")).toBe(true);
    });

    it("do not start where nothing can be picked, or where there is no piece", async () => {
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
    it("are requested on hover and on focus", async () => {
        const view = shown();
        await pointer("pointerover", view.cell("c2"), at("c2"));
        await pointer("pointerout", view.cell("c2"), at("c2"));
        view.cell("village:sea").focus();
        view.cell("village:sea").blur();
        expect(view.onexplain.mock.calls.flat()).toEqual(["c2", null, "village:sea", null]);
    });

    it("are requested by a long press with a finger, and nothing is picked", async () => {
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

    it("with the mouse counts as a click", async () => {
        const view = shown({ targets: new Set(["c2"]) });
        const { board, start } = await pressSlowly(view, "c2", "mouse");
        await pointer("pointerup", board, start);
        await fireEvent.click(view.cell("c2"));
        expect(view.onpick.mock.calls.flat()).toEqual(["c2"]);
        expect(view.onexplain).not.toHaveBeenCalled();
    });

    it.each(["mouse", "touch"] as const)("with pointer type %s can still become a drag", async (pointerType) => {
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
