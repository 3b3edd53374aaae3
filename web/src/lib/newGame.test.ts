import { expect, test } from "vitest";

import type { NewGameOptions } from "./settings.svelte";
import { fromPosition, newGameRequest } from "./newGame";

const options: NewGameOptions = {
    variant: "standard",
    tribe: "sea",
    first: "forest",
    level: 4,
    names: { forest: " Anna ", sea: "" },
};

test("against the computer, the player gets the chosen tribe", () => {
    expect(newGameRequest(options, "computer")).toEqual({
        variant: "standard",
        first: "forest",
        seats: { forest: { kind: "computer", level: 4 }, sea: { kind: "person" } },
    });
});

test("a coin toss chooses the player's tribe if it is left to chance", () => {
    const seats = (toss: number) => newGameRequest({ ...options, tribe: null }, "computer", () => toss).seats;
    expect(seats(0.2).forest.kind).toBe("person");
    expect(seats(0.7).sea.kind).toBe("person");
});

test("two players at one screen may have names", () => {
    expect(newGameRequest(options, "two").seats).toEqual({
        forest: { kind: "person", name: "Anna" },
        sea: { kind: "person" },
    });
});

test("a game from a position requests neither a variant nor a first player", () => {
    expect(fromPosition("5/5/5/5/5 …", options, "computer")).toEqual({
        position: "5/5/5/5/5 …",
        seats: { forest: { kind: "computer", level: 4 }, sea: { kind: "person" } },
    });
});
