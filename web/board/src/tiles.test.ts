import { fireEvent, render, screen } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";

import { parsePosition } from "./position";
import Drawing from "./Drawing.svelte";
import { sizeOf } from "./sheet";
import Supply from "./Supply.svelte";
import Tile from "./Tile.svelte";

const TABLE = parsePosition("S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F");
const label = (subject: string) => `the ${subject}`;

function mockHandlers() {
    return { onpick: vi.fn(), onrefuse: vi.fn(), oncancel: vi.fn(), onexplain: vi.fn(), ondeck: vi.fn() };
}

describe("a tile", () => {
    const names = (button: HTMLElement) => [...button.querySelectorAll("use")].map((use) => use.getAttribute("href"));

    it("shows the visible face, and turns over when that face changes", async () => {
        const view = render(Tile, { props: { tile: "jump", faces: TABLE.faces, label, pace: 400 } });
        const button = screen.getByRole("button", { name: "the tile:jump" });
        expect(button).toHaveAttribute("data-face", "f");
        expect(names(button)).toEqual(["#cairn-tile-jump-f"]);
        expect(button.querySelector(".turns")).toBeNull();
        await view.rerender({ faces: { ...TABLE.faces, jump: "e" } });
        expect(button).toHaveAttribute("data-face", "e");
        expect(names(button)).toEqual(["#cairn-tile-jump-e", "#cairn-tile-jump-f"]);
        const leaf = button.querySelector(".turns");
        if (!leaf) throw new Error("the tile does not turn over");
        await fireEvent.animationEnd(leaf);
        expect(names(button)).toEqual(["#cairn-tile-jump-e"]);
        await view.rerender({ faces: TABLE.faces, pace: 0 });
        expect(names(button)).toEqual(["#cairn-tile-jump-f"]);
    });

    it("reports picks, refused picks and cancels", async () => {
        const user = userEvent.setup();
        const handlers = mockHandlers();
        const view = render(Tile, { props: { tile: "add", faces: TABLE.faces, label, ...handlers } });
        const button = screen.getByRole("button");
        await user.click(button);
        expect(handlers.onrefuse).toHaveBeenCalledWith("tile:add");
        expect(button).toHaveAttribute("aria-disabled", "true");
        await view.rerender({ targets: new Set(["tile:add"]) });
        await user.keyboard("{Enter}");
        expect(handlers.onpick).toHaveBeenCalledWith("tile:add");
        await view.rerender({ targets: new Set<string>(), selection: ["tile:add"] });
        expect(button).toHaveAttribute("aria-pressed", "true");
        await user.click(button);
        await user.keyboard("{Escape}");
        expect(handlers.oncancel).toHaveBeenCalledTimes(2);
        expect(handlers.onpick).toHaveBeenCalledOnce();
    });

    it("still requests its explanation when it is dimmed", async () => {
        const handlers = mockHandlers();
        render(Tile, { props: { tile: "move", faces: TABLE.faces, label, dimmed: true, ...handlers } });
        expect(screen.getByRole("button")).toHaveClass("dimmed");
        await userEvent.setup().tab();
        expect(handlers.onexplain).toHaveBeenCalledWith("tile:move");
    });
});

describe("the supply", () => {
    it("shows the upcoming megaliths and how many tiles are left", () => {
        render(Supply, { props: { table: TABLE, label } });
        expect(screen.getByLabelText("the slot:0").querySelector("use")).toHaveAttribute("href", "#cairn-megalith-DR");
        expect(screen.getByLabelText("the slot:1").querySelector("use")).toHaveAttribute("href", "#cairn-megalith-MD");
        expect(screen.getByLabelText("the deck")).toHaveTextContent("4");
    });

    it("shows an empty slot and an empty deck", () => {
        const table = parsePosition("5/5/5/5/F3F b3CG --MD - wofm 0-0 F");
        render(Supply, { props: { table, label } });
        expect(screen.getByLabelText("the slot:0").querySelector("use")).toBeNull();
        expect(screen.getByLabelText("the deck")).toHaveTextContent("0");
        expect(screen.getByLabelText("the deck").querySelector("use")).toBeNull();
    });

    it("reports clicks on slots and on the deck", async () => {
        const user = userEvent.setup();
        const handlers = mockHandlers();
        render(Supply, { props: { table: TABLE, label, targets: new Set(["slot:1"]), ...handlers } });
        for (const subject of ["slot:0", "slot:1", "deck"]) await user.click(screen.getByLabelText(`the ${subject}`));
        expect(handlers.onrefuse.mock.calls.flat()).toEqual(["slot:0"]);
        expect(handlers.onpick.mock.calls.flat()).toEqual(["slot:1"]);
        expect(handlers.ondeck).toHaveBeenCalledOnce();
    });

    it("animates only newly drawn tiles", async () => {
        const view = render(Supply, { props: { table: TABLE, label } });
        expect(view.container.querySelector(".turns")).toBeNull();
        await view.rerender({ table: { ...TABLE, upcoming: ["PS", "MD"] }, drawn: [0] });
        expect(screen.getByLabelText("the slot:0").querySelector(".turns")).not.toBeNull();
        expect(screen.getByLabelText("the slot:0").querySelector(".new")).not.toBeNull();
        expect(screen.getByLabelText("the slot:1").querySelector(".turns")).toBeNull();
    });

    it("requests an explanation of a slot on a long press with a finger, and picks nothing", async () => {
        vi.useFakeTimers();
        const handlers = mockHandlers();
        render(Supply, { props: { table: TABLE, label, targets: new Set(["slot:0"]), ...handlers } });
        const slot = screen.getByLabelText("the slot:0");
        await fireEvent.pointerDown(slot, { isPrimary: true, button: 0, pointerType: "touch" });
        vi.advanceTimersByTime(500);
        await fireEvent.pointerUp(slot);
        await fireEvent.click(slot);
        vi.useRealTimers();
        expect(handlers.onexplain).toHaveBeenCalledWith("slot:0");
        expect(handlers.onpick).not.toHaveBeenCalled();
    });
});

describe("a slow mouse press", () => {
    it.each([
        ["slot:0", Supply, {}],
        ["tile:jump", Tile, { tile: "jump", faces: TABLE.faces }],
    ] as const)("picks %s", async (pick, component, props) => {
        vi.useFakeTimers();
        const handlers = mockHandlers();
        render(component as typeof Supply, { props: { table: TABLE, label, targets: [pick], ...handlers, ...props } });
        const button = screen.getByLabelText(`the ${pick}`);
        await fireEvent.pointerDown(button, { isPrimary: true, button: 0, pointerType: "mouse" });
        vi.advanceTimersByTime(2000);
        await fireEvent.pointerUp(button);
        await fireEvent.click(button);
        vi.useRealTimers();
        expect(handlers.onpick).toHaveBeenCalledWith(pick);
        expect(handlers.onexplain).not.toHaveBeenCalled();
    });
});

describe("the drawings", () => {
    it("have the size of their kind", () => {
        expect(sizeOf("tile-jump-f")).toEqual({ width: 172, height: 114 });
        expect(sizeOf("land-forest")).toEqual({ width: 552, height: 728 });
        expect(sizeOf("megalith-DR")).toEqual({ width: 100, height: 104 });
    });

    it("have an accessible name only if a title is given", () => {
        render(Drawing, { props: { name: "shaman-sea", title: "A shaman" } });
        expect(screen.getByRole("img", { name: "A shaman" })).toBeInTheDocument();
        const plain = render(Drawing, { props: { name: "fire" } });
        expect(plain.container.querySelector("[aria-hidden=true]")).not.toBeNull();
    });
});
