import { readFileSync } from "node:fs";

import { svelte } from "@sveltejs/vite-plugin-svelte";
import { svelteTesting } from "@testing-library/svelte/vite";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

import { messages } from "./vite.messages.ts";
import { application, megaliths, precompress } from "./vite.plugins.ts";

/** The address of `cairn serve`, to which `npm run dev` forwards API requests. */
const server = process.env.CAIRN_SERVER ?? "http://127.0.0.1:8765";

/** Modules for a single language: a text (`learn/text/en.ts`) or the messages of a module (`HomePage.svelte/en`). */
const LANGUAGE = /([\w-]+)(?:\.\w+)*\/(en|fr|de|ru)(?:\.\w+)?$/;

/** Modules that nearly every page needs: the framework, the API client and the page shell. */
const BASE =
    /^(?!\0virtual:messages\/).*(node_modules\/(?!@noble)|virtual:megaliths$|\/board\/src\/(position|generated\/tiles)|\/src\/(main|lib\/(?!source\/(?!index)|device\/|sealed\/|games\.ts|generated\/|faults|newGame|picking|statistics|completedLessons)|app\/(App|pages)\b|app\/shell\/|app\/shared\/Notices|app\/sentences\/(gameSummary|endReason)))/;
/** Modules for the pages with forms. */
const FORMS = /\/src\/(lib\/(faults|newGame)|app\/shared\/(Choices|Faults|Switch|reveal))/;
/** The board and the sentences about it. */
const TABLE = /\/board\/src\/|\/src\/(app\/shared\/Mini|app\/sentences\/)/;

/** Inlines the SVG drawings in the HTML, so that they arrive before the scripts do. */
function drawings(): Plugin {
    const sheet = new URL("board/src/art.svg", import.meta.url);
    return {
        name: "drawings",
        transformIndexHtml: (html) => html.replace("<body>", () => `<body>\n${readFileSync(sheet, "utf-8")}`),
    };
}

/**
 * Lists the scripts of the game page, the home page and each language, and the
 * fonts, so that public/start.js can preload them.
 */
function early(): Plugin {
    return {
        name: "early",
        transformIndexHtml: {
            order: "post",
            handler(_, { bundle }) {
                const files = Object.keys(bundle ?? {});
                const chunks = Object.values(bundle ?? {}).filter((each) => each.type === "chunk");
                const needs = (module: string): string[] => {
                    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module));
                    return chunk ? [chunk.fileName, ...chunk.imports] : [];
                };
                const texts = (code: string): Record<string, string[]> => ({
                    [code]: needs("virtual:messages/src/main.ts/" + code),
                    [`game ${code}`]: needs("/PlayPage.svelte/" + code),
                    [`home ${code}`]: needs("/HomePage.svelte/" + code),
                });
                const content = JSON.stringify({
                    game: needs("/PlayPage.svelte"),
                    server: needs("/source/server.ts"),
                    here: needs("/source/here.ts"),
                    home: needs("/HomePage.svelte"),
                    fonts: files.filter((name) => name.endsWith(".woff2")),
                    ...Object.assign({}, ...["en", "fr", "de", "ru"].map(texts)),
                });
                // Always preload the board, because most visits show one.
                const table = chunks.find(({ name }) => name === "table");
                return [
                    { tag: "meta", attrs: { name: "early", content }, injectTo: "head-prepend" },
                    ...(table ? [{ tag: "link", attrs: { rel: "modulepreload", href: `./${table.fileName}` } }] : []),
                ];
            },
        },
    };
}

export default defineConfig({
    plugins: [
        svelte(),
        svelteTesting(),
        megaliths(),
        messages({ together: Boolean(process.env.VITEST) }),
        drawings(),
        early(),
        application(),
        precompress(),
    ],
    // Relative URLs between scripts allow a static site to be served from any folder.
    base: "./",
    build: {
        outDir: "../src/cairn/server/pages",
        emptyOutDir: true,
        target: "es2022",
        assetsInlineLimit: 0,
        // Browsers that lack modulepreload only load scripts later.
        modulePreload: { polyfill: false },
        // tools/check_size.py reads the manifest.
        manifest: true,
        // The combined style sheet is small. With a single file, no page waits for a style sheet of its own.
        cssCodeSplit: false,
        rolldownOptions: {
            // Svelte's custom elements are unused, but the bundler cannot know that they have no side effects.
            treeshake: { moduleSideEffects: (id) => !id.endsWith("/custom-element.js") },
            // Plugin timings are noise in the output of make.
            checks: { pluginTimings: false, bundlerTimings: false },
            output: {
                // vite.plugins.ts and public/sw.js recognise the files of a language by this prefix.
                chunkFileNames: ({ facadeModuleId }) => {
                    const [, part, code] = LANGUAGE.exec(facadeModuleId ?? "") ?? [];
                    return code ? `assets/language-${code}-${part}-[hash].js` : "assets/[name]-[hash].js";
                },
                assetFileNames: ({ names }) =>
                    `assets/${names[0]?.includes("-cyrillic.") ? "language-ru-" : ""}[name]-[hash][extname]`,
                // Create only a few files: the base, the forms, the board, and one per page.
                codeSplitting: {
                    groups: [
                        { name: "base", test: BASE, priority: 2 },
                        { name: "forms", test: FORMS, priority: 2 },
                        { name: "table", test: TABLE, priority: 1 },
                    ],
                },
            },
        },
    },
    worker: { format: "es" },
    server: { proxy: { "/api": { target: server, ws: true } }, fs: { allow: [".."] } },
    test: {
        environment: "jsdom",
        // Isolates the test files from each other without creating a new jsdom for each of them.
        pool: "vmThreads",
        include: ["{src,board/src}/**/*.test.ts", "lint/*.test.js"],
        setupFiles: ["src/test/setup.ts"],
        // Generous, to allow for busy machines.
        testTimeout: 30_000,
    },
});
