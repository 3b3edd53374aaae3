import { readFileSync } from "node:fs";
import { basename } from "node:path";

import { render, screen, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import ExplorerPanel from "./ExplorerPanel.svelte";
import { filters, type Filters } from "./filters.svelte";
import { digitOf, explore, gamesOf, loadPerformance } from "./games";
import { lookAt } from "./look";
import PerformancePage from "./PerformancePage.svelte";

const START = "S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) wofm 0-0 F";
const ALL: Filters = { source: "self-play", variant: "", ratingFrom: 0, anyMegaliths: false };
const LEGAL = ["+d1", "a1-a2", "a1-b1", "c1-b1", "c1-c2", "c1-d1", "e1-d1", "e1-e2"];

type Part = Record<string, Record<string, number[]>>;
const read = (name: string): string => readFileSync(`src/lib/generated/explorer/${name}`, "utf-8");
const part = (digit: string): Part => JSON.parse(read(`${digit}.json`)) as Part;

// The files that a server would send.
beforeEach(() => {
    Object.assign(filters, ALL);
    vi.stubGlobal("fetch", (address: URL | string) => {
        const path = typeof address === "string" ? address : address.pathname;
        return Promise.resolve(new Response(read(basename(path).replace(/\?.*/, ""))));
    });
});
afterEach(() => vi.unstubAllGlobals());

test("symmetric moments look the same, as in Python", () => {
    const look = "S1S1S/5/5/5/F1F1F b3CG,d3CD wofm 0-0 F";
    expect(lookAt(START, []).text).toBe(look);
    const turned = lookAt("S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) bofm 0-0 S", ["a5-b4"]);
    expect(turned.text).toBe(`${look} a1-b2`);
    const mirrored = lookAt("S1S1S/5/5/5/F1F1F b3CG,d3CD DRMD (ADCSPSSA) bofm 1-2 F", ["a1-a2", "?AD"]);
    expect(mirrored.text).toBe("S1S1S/5/5/5/F1F1F b3CD,d3CG wofm 1-2 F e1-e2");
    expect(mirrored.image("SW:b3/d3")).toBe("SW:b3/d3");
    expect(mirrored.image("a1/d3")).toBe("b3/e1");
    expect(["Tc2", "xa5", "flip-add", "c5-out", "b3=DR"].map(turned.image)).toEqual([
        "Tc4",
        "xa1",
        "flip-add",
        "c1-out",
        "b3=DR",
    ]);
    expect(lookAt(START, [], true).text).toBe("S1S1S/5/5/5/F1F1F * wofm 0-0 F");
});

test("every stored moment is in the file of its digit, and in normal form", () => {
    for (const digit of "05af") {
        for (const look of Object.keys(part(digit))) {
            expect(digitOf(look)).toBe(digit);
            const [shamans, megaliths, faces, scores, active, ...tokens] = look.split(" ");
            if (megaliths === "*") continue;
            const again = lookAt(`${shamans} ${megaliths} ---- - ${faces} ${scores} ${active}`, tokens);
            expect(again.text).toBe(look);
        }
    }
});

test("a moment is explored by variant, and the tribes are swapped back", async () => {
    const moment = { turnStart: START, tokens: [], legal: LEGAL };
    const all = await explore(moment, ALL);
    expect(all.length).toBeGreaterThan(1);
    expect(all.map(gamesOf)).toEqual([...all.map(gamesOf)].sort((one, other) => other - one));
    const total = (tokens: typeof all): number => tokens.reduce((sum, each) => sum + gamesOf(each), 0);
    const beginner = await explore(moment, { ...ALL, variant: "beginner" });
    const any = await explore(moment, { ...ALL, anyMegaliths: true });
    expect(total(beginner)).toBeLessThanOrEqual(total(all));
    expect(total(any)).toBeGreaterThan(total(all));
    // The same start with Sea to move: a half-turn, and the other face of the add tile.
    const asSea = { turnStart: START.replace("wofm 0-0 F", "bofm 0-0 S"), tokens: [], legal: ["c5-c4"] };
    const [theirs] = await explore(asSea, ALL);
    const ours = all.find(({ token }) => token === "c1-c2");
    expect(theirs).toEqual({ ...ours, token: "c5-c4", forest: ours?.sea, sea: ours?.forest });
});

test("the panel lists tokens, plays one, and says if a position is unknown", async () => {
    const user = userEvent.setup();
    const onplay = vi.fn();
    const { rerender } = render(ExplorerPanel, { moment: { turnStart: START, tokens: [], legal: LEGAL }, onplay });
    const rows = (await screen.findAllByRole("row")).slice(1);
    const first = within(rows[0] as HTMLElement);
    expect(first.getByRole("img")).toHaveAccessibleName(/^Forest wins \d+%, draws \d+%, Sea wins \d+%$/);
    await user.click(first.getByRole("button"));
    expect(LEGAL).toContain(onplay.mock.calls[0]?.[0]);
    await rerender({ moment: { turnStart: "5/5/5/2F2/5 - DRMD - wofm 2-2 F", tokens: [], legal: ["c2-c3"] }, onplay });
    expect(await screen.findByText("No game in this selection has reached this position.")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Allow other megaliths" }));
    expect(filters.anyMegaliths).toBe(true);
});

test("a file that cannot be loaded is reported, and can be tried again", async () => {
    const user = userEvent.setup();
    const works = globalThis.fetch;
    vi.stubGlobal("fetch", () => Promise.resolve(new Response("", { status: 500 })));
    // No other test loads the file of this moment.
    const moment = { turnStart: "S4/5/5/5/F3F b3CG,d3CD DRMD (ADCSPSSA) wdem 0-1 F", tokens: [], legal: ["a1-b2"] };
    expect("b8").not.toContain(digitOf(lookAt(moment.turnStart, []).text));
    render(ExplorerPanel, { moment, onplay: vi.fn() });
    expect(await screen.findByRole("alert")).toHaveTextContent("The explorer could not be loaded.");
    vi.stubGlobal("fetch", works);
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText(/No game in this selection|games from here/)).toBeVisible();
});

test("the performance of every megalith is shown, best results first", async () => {
    const summary = await loadPerformance({ ...ALL, variant: "expert" });
    expect(summary.megaliths).toHaveLength(17);
    const beginner = await loadPerformance({ ...ALL, variant: "beginner" });
    expect(beginner.megaliths).toHaveLength(6);
    expect(beginner.starts).toHaveLength(8);
    render(PerformancePage);
    const [megaliths, starts] = await screen.findAllByRole("table");
    expect(within(megaliths as HTMLElement).getAllByRole("row")).toHaveLength(18);
    expect(within(starts as HTMLElement).getAllByRole("row")).toHaveLength(9);
    expect(screen.getByRole("status")).toHaveTextContent(/games$/);
});
