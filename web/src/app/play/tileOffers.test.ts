import { TILES } from "@cairn/board/position";
import { expect, test } from "vitest";

import { action, ADD, choice } from "../../test/choices";
import { offersTile } from "./tileOffers";

const usable = (moment: Parameters<typeof offersTile>[0]) => TILES.filter((tile) => offersTile(moment, tile));

test("an action offers the tiles of its choices, and never the transformation tile", () => {
    expect(usable({ phase: "action", choices: [ADD] })).toEqual(["add"]);
    expect(usable({ phase: "action", choices: [ADD, action("move", "a1", "a2")] })).toEqual(["add", "move"]);
});

test("a transformation offers only its own tile", () => {
    expect(usable({ phase: "transform", choices: [choice("Tc3", ["c3"])] })).toEqual(["transformation"]);
});

test("a power offers only the tiles that it can flip", () => {
    expect(usable({ phase: "power", choices: [choice("c3-c4", ["c3 c4"])] })).toEqual([]);
    expect(usable({ phase: "power", choices: [choice("flip-jump", ["tile:jump"])] })).toEqual(["jump"]);
});
