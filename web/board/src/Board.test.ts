import { screen, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";

import type { Effect } from "./effects";
import { parsePosition, SPACES } from "./position";
import { placeBoard, shown } from "./test/boardView";

beforeEach(placeBoard);

describe("the board", () => {
    it("draws every piece once", () => {
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
    ] as const)("is drawn with %s at the bottom", (orientation, first, last) => {
        shown({ orientation });
        const cells = screen.getAllByRole("gridcell").map((cell) => cell.getAttribute("data-pick"));
        expect([cells[0], cells[24]]).toEqual([first, last]);
        const order = [...document.querySelectorAll("[data-pick]")].map((cell) => cell.getAttribute("data-pick"));
        expect(order.at(-1)).toBe(`village:${orientation}`);
    });

    it("marks everything that can be picked with a ring", () => {
        const targets = new Set(["a2", "c2", "a4", "village:sea", "tile:add"]);
        const { container } = shown({ targets });
        const shapes = [...container.querySelectorAll("[data-target]")].map((mark) => [
            mark.getAttribute("data-target"),
            mark.getAttribute("data-grip"),
        ]);
        expect(Object.fromEntries(shapes)).toEqual({
            a2: "space",
            c2: "shaman",
            a4: "megalith",
            "village:sea": "village",
        });
        expect(container.querySelectorAll("[data-target] .line")).toHaveLength(4);
    });

    it("marks the megalith under a shaman when a pick refers to the megalith", () => {
        const { container } = shown({ targets: new Set(["c2"]), aim: "megalith" });
        expect(container.querySelector("[data-target=c2]")).toHaveAttribute("data-grip", "megalith");
    });

    it("fills the ring around a picked item", () => {
        const { container } = shown({ targets: new Set(["a2"]), selection: ["a1"] });
        expect(container.querySelector("[data-picked=a1] .fill")).not.toBeNull();
        expect(container.querySelector("[data-target=a2] .fill")).toBeNull();
        expect(container.querySelector("[data-target=a1]")).toBeNull();
    });

    it("shows the visible face of the tile that a target uses, and the note of the target", () => {
        const { container } = shown({
            targets: new Set(["a2", "village:sea"]),
            tags: {
                a2: { tiles: ["move"], note: "!" },
                "village:sea": { tiles: ["jump"], note: "+1" },
                b2: { tiles: ["move"] },
            },
        });
        const signs = [...container.querySelectorAll("[data-sign]")].map((sign) => sign.getAttribute("data-sign"));
        expect(signs).toEqual(["diagram-move-d", "diagram-jump-f"]); // b2 is not a target
        expect(container.querySelector("[data-tag=a2] [data-note]")?.textContent?.trim()).toBe("!");
        expect(container.querySelector("[data-tag='village:sea'] [data-note]")?.textContent?.trim()).toBe("+1");
    });

    it("marks the last turn with shapes", () => {
        const lastTurn: Effect[] = [
            { kind: "moved", tribe: "sea", origin: "e3", target: "d3", way: "step", over: null, power: null },
            { kind: "moved", tribe: "sea", origin: "c4", target: "e3", way: "power", over: null, power: "FC" },
            { kind: "banished", tribe: "forest", space: "c3", power: null },
            { kind: "left", tribe: "forest", origin: "e5", way: "step", power: null },
            { kind: "built", tribe: "forest", code: "CS", space: "a4", slot: 0, score: 1, power: null },
        ];
        const { container } = shown({ lastTurn });
        const drawn = (kind: string) => container.querySelectorAll(`[data-drawn=${kind}]`);
        expect([...drawn("number")].map((number) => number.textContent?.trim())).toEqual(["1", "2", "3", "4", "5"]);
        expect(drawn("arrow")).toHaveLength(3);
        expect(drawn("cross")).toHaveLength(1);
        // Arrows are drawn above the pieces, so that a shaman that was jumped over does not hide them.
        const [piece, arrow] = [container.querySelector(".pieces"), drawn("arrow")[0]];
        expect(piece && arrow && piece.compareDocumentPosition(arrow)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    });

    it("emphasises one step of the last turn", () => {
        const lastTurn: Effect[] = [
            { kind: "moved", tribe: "sea", origin: "e3", target: "d3", way: "step", over: null, power: null },
            { kind: "transformed", tribe: "sea", space: "c3", start: "b3", end: "d3" },
            { kind: "banished", tribe: "forest", space: "c3", power: null },
        ];
        const { container } = shown({ lastTurn, step: 2 });
        const drawn = [...container.querySelectorAll("[data-drawn]")];
        expect(drawn.map((shape) => [shape.getAttribute("data-drawn"), shape.matches(".faint")])).toEqual([
            ["band", false],
            ["arrow", true],
            ["cross", false],
            ["number", true],
            ["number", false],
        ]);
    });

    it("draws the numbers above the focus frame, and fades the last turn when something is picked", async () => {
        const lastTurn: Effect[] = [
            { kind: "transformed", tribe: "sea", space: "c3", start: "b3", end: "d3" },
            { kind: "banished", tribe: "forest", space: "c3", power: null },
        ];
        const shapes = [{ kind: "threat", at: "c3" } as const];
        const { container, rerender } = shown({ lastTurn, shapes });
        const past = () => [...container.querySelectorAll(".past")].map((shape) => shape.getAttribute("data-drawn"));
        const [grid, number] = [container.querySelector("[role=grid]"), container.querySelector("[data-drawn=number]")];
        expect(grid && number && grid.compareDocumentPosition(number)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
        expect(past()).toEqual([]);
        await rerender({ selection: ["a1"] });
        expect(past()).toEqual(["band", "cross", "number"]);
    });

    it("marks the power being applied, and shows coordinates on request", () => {
        const { container } = shown({ focus: "c2", coordinates: true });
        expect(container.querySelector("[data-focus=c2]")).toBeInTheDocument();
        expect([...container.querySelectorAll("text")].map((text) => text.textContent).join("")).toBe("abcde12345");
    });
});

describe("during playback, the board", () => {
    it("pulses at the effect being shown, and at the next power only afterwards", async () => {
        const effect: Effect = { kind: "activated", tribe: "forest", code: "DR", space: "c2", result: "choice" };
        const view = shown({ focus: "d3", effect });
        const pulsing = () => view.container.querySelector("[data-focus]")?.getAttribute("data-focus");
        expect(pulsing()).toBe("c2");
        await view.rerender({ effect: { kind: "passed", tribe: "forest" } });
        expect(pulsing()).toBeUndefined();
        await view.rerender({ effect: null });
        expect(pulsing()).toBe("d3");
    });

    it("animates a jump", async () => {
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

describe("the accessibility tree", () => {
    it("labels the grid, its cells and the villages", () => {
        shown();
        expect(screen.getByRole("grid", { name: "the field" })).toBeInTheDocument();
        for (const space of SPACES) expect(screen.getByRole("gridcell", { name: `the ${space}` })).toBeInTheDocument();
        expect(screen.getByRole("button", { name: "the village:sea" })).toBeInTheDocument();
        expect(within(screen.getByRole("grid")).getAllByRole("row")).toHaveLength(5);
    });

    it("exposes which cells can be picked and which are selected", () => {
        const { cell } = shown({ targets: new Set(["c3"]), selection: ["c2"], alternatives: new Set(["a1"]) });
        expect(cell("c3")).toHaveAttribute("aria-disabled", "false");
        expect(cell("a1")).toHaveAttribute("aria-disabled", "false");
        expect(cell("e5")).toHaveAttribute("aria-disabled", "true");
        expect(cell("c2")).toHaveAttribute("aria-selected", "true");
        expect(cell("c3")).not.toHaveAttribute("aria-selected");
    });
});

describe("clicks", () => {
    it("pick a target, cancel when they hit the selection, and are refused elsewhere", async () => {
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
    it("move the focus over the field and into the villages", async () => {
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

    it("follow the orientation of the board", async () => {
        const user = userEvent.setup();
        const { cell } = shown({ orientation: "sea" });
        cell("c3").focus();
        await user.keyboard("{ArrowUp}{ArrowLeft}");
        expect(document.activeElement).toHaveAttribute("data-pick", "d2");
    });

    it("report refused picks and cancels", async () => {
        const user = userEvent.setup();
        const { cell, onrefuse, oncancel } = shown();
        cell("b2").focus();
        await user.keyboard("{Enter}{Escape}");
        expect(onrefuse).toHaveBeenCalledWith("b2");
        expect(oncancel).toHaveBeenCalledOnce();
    });

    it("treat the field as a single tab stop", async () => {
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

describe("a new table", () => {
    it("moves the existing element of a piece", async () => {
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

    it("animates only a new megalith", async () => {
        const view = shown();
        expect(view.container.querySelector(".rises")).toBeNull();
        await view.rerender({
            table: parsePosition("S2S1/1S2S/1F1S1/2F2/F3F c1PS,c2DR,b3CG,d3CD,a4CS --MD (ADSA) bdfm 2-2 F"),
        });
        const risen = [...view.container.querySelectorAll(".rises")].map((piece) => piece.parentElement?.dataset.piece);
        expect(risen).toEqual(["PS"]);
    });

    it("raises a score stone when a tribe scores, but not when the board appears", async () => {
        const view = shown({ table: parsePosition("S4/5/5/5/F4 b3CG PSMD (ADSA) bdfm 1-2 F") });
        expect(view.container.querySelectorAll(".point.fresh")).toHaveLength(0);
        await view.rerender({ table: parsePosition("S4/5/5/5/F4 b3CG PSMD (ADSA) bdfm 2-2 F") });
        expect(view.container.querySelectorAll(".point.scored.fresh")).toHaveLength(1);
    });
});
