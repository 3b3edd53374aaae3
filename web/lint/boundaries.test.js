import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { ESLint } from "eslint";
import { describe, expect, test } from "vitest";

import { ALLOWED, targetOf } from "./boundaries.js";

const WEB = path.resolve(import.meta.dirname, "..");

describe("the import rule", () => {
    const eslint = new ESLint({
        cwd: WEB,
        ruleFilter: ({ ruleId }) => ruleId === "boundaries/imports",
    });

    async function faults(filePath, code) {
        const [result] = await eslint.lintText(code, { filePath: path.join(WEB, filePath) });
        return result.messages.map(({ message }) => message);
    }

    test.each([
        ["board/src/layout.ts", 'import { t } from "../../src/lib/i18n";', "board must not import from src/lib"],
        ["src/lib/sound.ts", 'import "@cairn/board/scene";', "src/lib must not import from board"],
        ["src/lib/sound.ts", 'export { titles } from "../app/pages";', "src/lib must not import from src/app"],
        [
            "src/app/sentences/prompt.ts",
            'import "../play/keys";',
            "src/app/sentences must not import from src/app/play",
        ],
        ["src/app/games/search.ts", 'await import("../home/x");', "src/app/games must not import from src/app/home"],
        ["src/app/home/x.ts", 'import type { A } from "../pages";', "src/app/home must not import from src/app"],
        ["src/app/home/x.ts", 'import "../../test/server";', "src/app/home must not import from src/test"],
        [
            "src/app/setup/Toolbox.svelte",
            '<script lang="ts">\n    import A from "../play/A.svelte";\n</script>\n<A />\n',
            "src/app/setup must not import from src/app/play",
        ],
    ])("rejects the following import in %s: %s", async (file, code, message) => {
        expect(await faults(file, code)).toEqual([expect.stringContaining(message)]);
    });

    test("accepts imports that follow the order", async () => {
        const code = 'import "svelte";\nimport "@cairn/board/scene";\nimport "../../lib/i18n";\nimport "./other";';
        expect(await faults("src/app/sentences/prompt.ts", code)).toEqual([]);
        expect(await faults("src/app/home/x.test.ts", 'import "../../test/server";')).toEqual([]);
    });
});

test("the folder order includes every folder", () => {
    const folders = [...foldersIn("src"), ...foldersIn("src/app")].filter((name) => name !== "src/test");
    expect(folders.filter((name) => !(name in ALLOWED))).toEqual([]);
});

function foldersIn(folder) {
    const entries = readdirSync(path.join(WEB, folder), { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${folder}/${name}`);
}

/** Matches static imports, including type imports, but not dynamic `import()`. */
const IMPORT = /^\s*(?:import|export)\b[^"';]*?(?:from\s*)?"([^"]+)"/gm;

test("there are no import cycles", () => {
    const files = ["src", "board/src"].flatMap((folder) =>
        readdirSync(path.join(WEB, folder), { recursive: true })
            .map((name) => `${folder}/${name}`)
            .filter((name) => /\.(ts|svelte)$/.test(name) && !name.endsWith(".test.ts")),
    );
    expect(files.length).toBeGreaterThan(100);
    const graph = new Map(files.map((file) => [file, importsOf(file)]));
    expect([...graph.values()].flat().length).toBeGreaterThan(300);
    expect(cyclesOf(graph)).toEqual([]);
});

test("cyclesOf finds a cycle", () => {
    const graph = new Map([
        ["a", ["b", "c"]],
        ["b", ["c"]],
        ["c", ["b"]],
    ]);
    expect(cyclesOf(graph)).toEqual(["b → c → b"]);
});

/**
 * The modules that a file imports, as paths relative to web/. Imports of the board package are left out, because the
 * board imports nothing from the app and cannot be part of a cycle.
 */
function importsOf(file) {
    const full = path.join(WEB, file);
    return [...readFileSync(full, "utf-8").matchAll(IMPORT)]
        .map(([, source]) => (source.startsWith(".") ? targetOf(full, source) : null))
        .filter((target) => target !== null)
        .map((target) => [target, `${target}.ts`, `${target}/index.ts`].find(isModule))
        .filter((target) => target !== undefined);
}

function isModule(file) {
    return /\.(ts|svelte)$/.test(file) && existsSync(path.join(WEB, file));
}

function cyclesOf(graph) {
    const cycles = [];
    const done = new Set();
    function visit(file, trail) {
        const start = trail.indexOf(file);
        if (start >= 0) cycles.push([...trail.slice(start), file].join(" → "));
        if (start >= 0 || done.has(file)) return;
        for (const next of graph.get(file) ?? []) visit(next, [...trail, file]);
        done.add(file);
    }
    for (const file of graph.keys()) visit(file, []);
    return cycles;
}
