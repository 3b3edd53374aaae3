import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { FAULT_KINDS, faultPlace, faultText } from "./faults";
import { LEVELS, levelAudience, levelName } from "./levels";
import { PROBLEM_KINDS } from "./problems";

const python = (path: string): string => readFileSync(join(import.meta.dirname, "../../../src/cairn", path), "utf-8");

/** Kinds that only writing can meet, and no text that somebody gives us. */
const OF_WRITING = ["comment-end", "told-by-the-game"];

test("every kind of fault that the package names has its sentence, and no other", () => {
    const sources = [
        "notation/position.py",
        "notation/tokens.py",
        "notation/records.py",
        "record.py",
        "vocabulary/setup.py",
    ];
    const named = /(?:Fault|_Unreadable|_fault|_fault_here|_refuse)\(\s*"([a-z0-9-]+)"/g;
    const chosen = /kind = "([a-z-]+)" if .* else "([a-z-]+)"/g;
    const found = new Set<string>();
    for (const text of sources.map(python)) {
        for (const [, kind = ""] of text.matchAll(named)) found.add(kind);
        for (const [, one = "", other = ""] of text.matchAll(chosen)) found.add(one).add(other);
    }
    expect([...found].filter((kind) => !OF_WRITING.includes(kind)).sort()).toEqual([...FAULT_KINDS].sort());
});

test("every kind of problem that the server names has its sentence", () => {
    const sources = [
        "server/errors.py",
        "server/authority.py",
        "server/creation.py",
        "server/live.py",
        "server/guard.py",
    ];
    const named = /(?:Refusal\(\s*(?:\d+|HTTPStatus\.\w+),\s*|Problem\(kind=)"([a-z-]+)"/g;
    const found = new Set(
        sources.map(python).flatMap((text) => [...text.matchAll(named)].map(([, kind = ""]) => kind)),
    );
    expect(found.size).toBeGreaterThan(5);
    expect([...found].filter((kind) => !["unexpected", ...PROBLEM_KINDS].includes(kind)).sort()).toEqual([]);
});

test("the levels are called what the engine calls them", () => {
    const rows = [...python("engine/levels.py").matchAll(/^ {4}\((\d+), "([^"]+)", "([^"]+)"/gm)];
    expect(rows.map(([, level, name, audience]) => [Number(level), name, audience])).toEqual(
        LEVELS.map((level) => [level, levelName(level), levelAudience(level)]),
    );
});

test("a sentence names what the server named", () => {
    const text = (kind: string, field: string, sentence: string): string => faultText({ kind, field, sentence });
    expect(text("unknown-code", "megaliths", "'XX' is not the code of a megalith")).toBe(
        "No megalith has the code “XX”.",
    );
    expect(text("tile-twice", "tiles", "CG (Chaos of the Giants) stands 2 times")).toBe(
        "Chaos of the Giants is there more than once; each megalith exists once.",
    );
    expect(text("too-many-shamans", "shamans", "6 sea shamans; a tribe has five")).toBe(
        "Sea has more than five shamans.",
    );
    expect(text("bad-letter", "shamans", "'X' in row 5; a row is")).toContain("“X” in row 5");
    expect(text("space-twice", "megaliths", "b3 stands twice")).toContain("b3 stands there twice");
    expect(text("order", "deck", "…")).toContain("alphabetically");
    expect(text("order", "megaliths", "…")).toContain("a1 b1");
    expect(text("string-too-long", "body", "…")).toBe("Something in it cannot be read.");
});

test("a place is told", () => {
    const place = (field: string): string => faultPlace({ kind: "", field, sentence: "" });
    expect(place("upcoming")).toBe("Upcoming:");
    expect(place("fields")).toBe("Position:");
    expect(place("line 3")).toBe("Line 3:");
    expect(place("turn 12")).toBe("Turn 12:");
    expect(place("turn 12, token 2 'a1-a2'")).toBe("Turn 12, token 2 (a1-a2):");
    expect(place("Result")).toBe("Header Result:");
    expect(place("byte 7")).toBe("Byte 7:");
});
