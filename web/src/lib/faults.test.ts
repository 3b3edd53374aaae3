import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import type { FaultView } from "./client";
import { FAULT_KINDS, faultPlace, faultText } from "./faults";
import { LEVELS, levelAudience, levelName } from "./levels";
import { ACCOUNT_KINDS, ONLINE_KINDS, PROBLEM_KINDS } from "./problems";
import recorded from "./recorded/faults.json";

const PACKAGE = join(import.meta.dirname, "../../../src/cairn");
const NATIVE = join(import.meta.dirname, "../../../native");
const python = (path: string): string => readFileSync(join(PACKAGE, path), "utf-8");

/** Kinds of faults that occur only when texts are written, never when they are read. */
const OF_WRITING = ["comment-end", "told-by-the-game"];
/** Kinds of problems that only other API clients can cause; the pages show them as unexpected. */
const OF_PROGRAMS = [
    "no-picture",
    "bot-needed",
    "bot-refused",
    "draw-waits",
    "local-game",
    "method-not-allowed",
    "no-link-due",
    "nothing-to-decide",
    "running-game", // the analysis board has its own sentence
    "sealed-needs-clock",
    "sealed-needs-player",
    "sealed-needs-tribes",
    "unexpected",
    "unknown-bearer",
    "wrong-link",
];
/** Kinds of problems that the pages create themselves. */
const OF_PAGES = [
    "broken-link",
    "core-missing",
    "damaged-device-game",
    "device-continued",
    "device-failed",
    "device-full",
    "device-unreadable",
    "long-link",
    "offline",
    "other-tab",
    "sealed-storage",
    "too-many-sockets",
    "unknown-device-game",
];

test("the pages have a sentence for exactly the kinds of faults that the package reports", () => {
    const found = new Set<string>();
    // The kinds that the core reports are in notation/faults.py. The other files report faults themselves.
    for (const [, kind = ""] of python("notation/faults.py").matchAll(/^ {4}"([a-z0-9-]+)": /gm)) found.add(kind);
    for (const path of ["notation/tokens.py", "vocabulary/setup.py"]) {
        for (const [, kind = ""] of python(path).matchAll(/Fault\(\s*"([a-z0-9-]+)"/g)) found.add(kind);
    }
    expect([...found].filter((kind) => !OF_WRITING.includes(kind)).sort()).toEqual([...FAULT_KINDS].sort());
});

test("the pages have a sentence for exactly the kinds of problems that the server reports", () => {
    const sources = readdirSync(join(PACKAGE, "server"), { recursive: true, encoding: "utf-8" })
        .filter((path) => path.endsWith(".py"))
        .map((path) => python(join("server", path)));
    const refused = /(?:Refusal\(|__init__\()\s*(?:\d+|HTTPStatus\.\w+),\s*"([a-z-]+)"/g;
    const created = /Problem\(\s*kind="([a-z-]+)"/g;
    const byStatus = /^ {4}\d{3}: \("([a-z-]+)"/gm;
    const inCore = /Refused\{"([a-z-]+)"/g;
    sources.push(readFileSync(join(NATIVE, "seated_game.cpp"), "utf-8"));
    const found = new Set(
        sources.flatMap((text) =>
            [refused, created, byStatus, inCore].flatMap((named) =>
                [...text.matchAll(named)].map(([, kind = ""]) => kind),
            ),
        ),
    );
    const known = [...PROBLEM_KINDS, ...ACCOUNT_KINDS, ...ONLINE_KINDS];
    expect([...found].filter((kind) => ![...known, ...OF_PROGRAMS].some((one) => one === kind)).sort()).toEqual([]);
    expect(known.filter((kind) => !found.has(kind) && !OF_PAGES.includes(kind))).toEqual([]);
});

test("the levels have the same names as in the engine", () => {
    const rows = [...python("engine/levels.py").matchAll(/^ {4}\("([^"]+)", "([^"]+)"\),$/gm)];
    expect(rows.map(([, name, audience], index) => [index + 1, name, audience])).toEqual(
        LEVELS.map((level) => [level, levelName(level), levelAudience(level)]),
    );
});

const faults: readonly FaultView[] = recorded.map((each) => ({ ...each, details: present(each.details) }));

/** The details that a fault has. TypeScript infers optional details for all faults from the JSON file. */
function present(details: Record<string, string | undefined>): Record<string, string> {
    return Object.fromEntries(Object.entries(details).filter((entry): entry is [string, string] => Boolean(entry[1])));
}

function recordedFault(kind: string, field?: string): FaultView {
    const fault = faults.find((one) => one.kind === kind && (field === undefined || one.field === field));
    if (!fault) throw new Error(`no fault was recorded for ${kind}`);
    return fault;
}

test("a sentence includes the details that the server sent", () => {
    const text = (kind: string, field?: string): string => faultText(recordedFault(kind, field));
    expect(text("unknown-code")).toBe("No megalith has the code “XX”.");
    expect(text("tile-twice")).toBe("Chaos of the Giants appears more than once; there is only one of each megalith.");
    expect(text("too-many-shamans")).toBe("Sea has more than five shamans.");
    expect(text("bad-score")).toMatch(/^Sea can have 0, 1 or 2 megaliths/);
    expect(text("bad-letter")).toContain("“X” in row 5");
    expect(text("row-length")).toBe("Row 5 does not have five spaces.");
    expect(text("space-twice")).toContain("b3 is listed twice");
    expect(text("active")).toContain("“X”");
    expect(text("faces")).toContain("“wofx”");
    expect(text("order", "deck")).toContain("alphabetically");
    expect(text("order", "Position")).toContain("alphabetically"); // the position in a record
    expect(text("order", "megaliths")).toContain("a1 b1");
    expect(faultText({ kind: "string-too-long", field: "body", sentence: "…", details: {} })).toBe(
        "Part of it cannot be read.",
    );
});

test("faultPlace returns where the fault is", () => {
    const place = (kind: string, field?: string): string => faultPlace(recordedFault(kind, field));
    expect(place("unknown-code", "megaliths")).toBe("Megaliths:");
    expect(place("field-count")).toBe("Position:");
    expect(place("no-number")).toBe("Line 3:");
    expect(place("turn-number")).toBe("Turn 3:");
    expect(place("not-a-token", "turn 1, token 1 'nonsense'")).toBe("Turn 1, token 1 (nonsense):");
    expect(place("illegal-token")).toBe("Turn 2, token 1 (a5-a1):");
    expect(place("results-differ")).toBe("Header Result:");
    expect(place("not-utf-8")).toBe("Byte 1:");
});
