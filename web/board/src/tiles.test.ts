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

function page() {
    return { onpick: vi.fn(), onrefuse: vi.fn(), oncancel: vi.fn(), onexplain: vi.fn(), ondeck: vi.fn() };
}

describe("a tile", () => {
    const names = (button: HTMLElement) => [...button.querySelectorAll("use")].map((use) => use.getAttribute("href"));

    it("shows the face that is up, and turns over when it changes", async () => {
        const view = render(Tile, { props: { tile: "jump", faces: TABLE.faces, label, pace: 400 } });
        const button = screen.getByRole("button", { name: "the tile:jump" });
        expect(button).toHaveAttribute("data-face", "f");
        expect(names(button)).toEqual(["#cairn-tile-jump-f"]);
        expect(button.querySelector(".turns")).toBeNull();
        await view.rerender({ faces: { ...TABLE.faces, jump: "e" } });
        expect(button).toHaveAttribute("data-face", "e");
        expect(names(button)).toEqual(["#cairn-tile-jump-e", "#cairn-tile-jump-f"]);
        const leaf = button.querySelector(".turns");
        if (!leaf) throw new Error("it does not turn");
        await fireEvent.animationEnd(leaf);
        expect(names(button)).toEqual(["#cairn-tile-jump-e"]);
        await view.rerender({ faces: TABLE.faces, pace: 0 });
        expect(names(button)).toEqual(["#cairn-tile-jump-f"]);
    });

    it("reports a pick, refuses, and cancels", async () => {
        const user = userEvent.setup();
        const heard = page();
        const view = render(Tile, { props: { tile: "add", faces: TABLE.faces, label, ...heard } });
        const button = screen.getByRole("button");
        await user.click(button);
        expect(heard.onrefuse).toHaveBeenCalledWith("tile:add");
        expect(button).toHaveAttribute("aria-disabled", "true");
        await view.rerender({ targets: new Set(["tile:add"]) });
        await user.keyboard("{Enter}");
        expect(heard.onpick).toHaveBeenCalledWith("tile:add");
        await view.rerender({ targets: new Set<string>(), selection: ["tile:add"] });
        expect(button).toHaveAttribute("aria-pressed", "true");
        await user.click(button);
        await user.keyboard("{Escape}");
        expect(heard.oncancel).toHaveBeenCalledTimes(2);
        expect(heard.onpick).toHaveBeenCalledOnce();
    });

    it("is dimmed when it offers nothing, and still explains itself", async () => {
        const heard = page();
        render(Tile, { props: { tile: "move", faces: TABLE.faces, label, dimmed: true, ...heard } });
        expect(screen.getByRole("button")).toHaveClass("dimmed");
        await userEvent.setup().tab();
        expect(heard.onexplain).toHaveBeenCalledWith("tile:move");
    });
});

describe("the supply", () => {
    it("shows the upcoming megaliths and how many are left", () => {
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

    it("reports slots and the deck", async () => {
        const user = userEvent.setup();
        const heard = page();
        render(Supply, { props: { table: TABLE, label, targets: new Set(["slot:1"]), ...heard } });
        for (const subject of ["slot:0", "slot:1", "deck"]) await user.click(screen.getByLabelText(`the ${subject}`));
        expect(heard.onrefuse.mock.calls.flat()).toEqual(["slot:0"]);
        expect(heard.onpick.mock.calls.flat()).toEqual(["slot:1"]);
        expect(heard.ondeck).toHaveBeenCalledOnce();
    });

    it("animates only tiles that were drawn", async () => {
        const view = render(Supply, { props: { table: TABLE, label } });
        expect(view.container.querySelector(".turns")).toBeNull();
        await view.rerender({ table: { ...TABLE, upcoming: ["PS", "MD"] }, drawn: [0] });
        expect(screen.getByLabelText("the slot:0").querySelector(".turns")).not.toBeNull();
        expect(screen.getByLabelText("the slot:0").querySelector(".new")).not.toBeNull();
        expect(screen.getByLabelText("the slot:1").querySelector(".turns")).toBeNull();
    });

    it("explains by a long press of a finger, which picks nothing", async () => {
        vi.useFakeTimers();
        const heard = page();
        render(Supply, { props: { table: TABLE, label, targets: new Set(["slot:0"]), ...heard } });
        const slot = screen.getByLabelText("the slot:0");
        await fireEvent.pointerDown(slot, { isPrimary: true, button: 0, pointerType: "touch" });
        vi.advanceTimersByTime(500);
        await fireEvent.pointerUp(slot);
        await fireEvent.click(slot);
        vi.useRealTimers();
        expect(heard.onexplain).toHaveBeenCalledWith("slot:0");
        expect(heard.onpick).not.toHaveBeenCalled();
    });
});

describe("a slow press of the mouse", () => {
    it.each([
        ["slot:0", Supply, {}],
        ["tile:jump", Tile, { tile: "jump", faces: TABLE.faces }],
    ] as const)("picks %s", async (pick, component, props) => {
        vi.useFakeTimers();
        const heard = page();
        render(component as typeof Supply, { props: { table: TABLE, label, targets: [pick], ...heard, ...props } });
        const button = screen.getByLabelText(`the ${pick}`);
        await fireEvent.pointerDown(button, { isPrimary: true, button: 0, pointerType: "mouse" });
        vi.advanceTimersByTime(2000);
        await fireEvent.pointerUp(button);
        await fireEvent.click(button);
        vi.useRealTimers();
        expect(heard.onpick).toHaveBeenCalledWith(pick);
        expect(heard.onexplain).not.toHaveBeenCalled();
    });
});

describe("the drawings", () => {
    it("have sizes", () => {
        expect(sizeOf("tile-jump-f")).toEqual({ width: 172, height: 114 });
        expect(sizeOf("land-forest")).toEqual({ width: 552, height: 728 });
        expect(sizeOf("megalith-DR")).toEqual({ width: 100, height: 104 });
    });

    it("have a name only where it is given", () => {
        render(Drawing, { props: { name: "shaman-sea", title: "A shaman" } });
        expect(screen.getByRole("img", { name: "A shaman" })).toBeInTheDocument();
        const plain = render(Drawing, { props: { name: "fire" } });
        expect(plain.container.querySelector("[aria-hidden=true]")).not.toBeNull();
    });
});
