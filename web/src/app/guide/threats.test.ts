import { expect, test } from "vitest";

import type { Moment } from "../../lib/client";
import type { Build } from "../../lib/device/advice";
import { threatPosition, threatShapes, threatsSentence } from "./threats";

const EXIT: Build = {
    kind: "exit",
    space: "d1",
    tokens: ["d1-out"],
    effects: [{ kind: "left", tribe: "sea", origin: "d1", way: "step", over: null, direction: "s", power: null }],
};
const LINE: Build = {
    kind: "transformation",
    space: "c2",
    tokens: ["d1-d2", "Tc2"],
    effects: [
        { kind: "moved", tribe: "sea", origin: "d1", target: "d2", way: "step", over: null, power: null },
        { kind: "transformed", tribe: "sea", space: "c2", start: "b2", end: "d2" },
    ],
};
const POSITION = "5/2F2/5/1SF2/F2S1 b3DR,c5CD PSMD (ADCS) wofm 1-1 ";
const moment = (fields: Partial<Moment>) => ({ outcome: null, phase: "action", held: null, ...fields }) as Moment;

test("threats are computed as if the opponent moved next", () => {
    const mine = moment({ position: `${POSITION}F`, active: "forest" });
    expect(threatPosition(mine, "sea")).toEqual({ position: `${POSITION}S`, exact: false });
});

test("threats are exact while a finished turn waits for confirmation", () => {
    const held = moment({ position: `${POSITION}S`, active: "sea", held: "forest" });
    expect(threatPosition(held, "sea")).toEqual({ position: `${POSITION}S`, exact: true });
});

test.each([
    ["during a power", { phase: "power", active: "forest" }],
    ["while the opponent plays", { active: "sea" }],
    ["after the end", { active: "forest", outcome: { winner: "sea", reason: "score", rule: "G1" } }],
] as const)("there are no threats %s", (_, fields) => {
    expect(threatPosition(moment({ position: `${POSITION}F`, ...fields } as Partial<Moment>), "sea")).toBeNull();
});

test("the sentence lists the threats and says what it assumes", () => {
    expect(threatsSentence({ tribe: "sea", exact: false, builds: [EXIT, LINE] })).toBe(
        "With the tiles as they are now, Sea could score: by leaving the field from d1; by a transformation on c2.",
    );
    expect(threatsSentence({ tribe: "sea", exact: true, builds: [] })).toBe("Sea cannot score next turn.");
});

test("each threatened space has one hatched edge, and arrows show the moves", () => {
    const shapes = threatShapes({ tribe: "sea", exact: true, builds: [EXIT, LINE, { ...LINE, kind: "exit" }] });
    expect(shapes.filter(({ kind }) => kind === "threat").map((shape) => "at" in shape && shape.at)).toEqual([
        "d1",
        "c2",
    ]);
    expect(shapes).toContainEqual(expect.objectContaining({ kind: "arrow", from: "d1", to: "out:s", tone: "danger" }));
    expect(shapes.every(({ kind }) => kind !== "number")).toBe(true);
});
