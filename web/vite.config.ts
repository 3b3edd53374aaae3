import { readFileSync } from "node:fs";

import { svelte } from "@sveltejs/vite-plugin-svelte";
import { svelteTesting } from "@testing-library/svelte/vite";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

import { application, megaliths, precompress } from "./vite.plugins.ts";

/** The address of `cairn serve`, to which `npm run dev` forwards API requests. */
const server = process.env.CAIRN_SERVER ?? "http://127.0.0.1:8765";

/** Files for a single language. A visitor downloads only one language. */
const LANGUAGE = /\/(en|fr|de|ru)\.\w+$/;

/** Modules that nearly every page needs: the framework, the API client and the page shell. */
const BASE =
    /node_modules\/(?!@noble)|virtual:megaliths$|\/board\/src\/(position|generated\/tiles)|\/src\/(main|lib\/(?!i18n\/languages\/|source\/|device\/|sealed\/|games\.ts|generated\/)|app\/(App|pages)\b|app\/shell\/|app\/shared\/(Choices|Faults|Notices|Switch|reveal)|app\/sentences\/(gameSummary|endReason))/;
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
                const content = JSON.stringify({
                    game: needs("/PlayPage.svelte"),
                    home: needs("/HomePage.svelte"),
                    fonts: files.filter((name) => name.endsWith(".woff2")),
                    ...Object.fromEntries(
                        ["en", "fr", "de", "ru"].map((code) => [code, needs(`/i18n/languages/${code}.ts`)]),
                    ),
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
    plugins: [svelte(), svelteTesting(), megaliths(), drawings(), early(), application(), precompress()],
    // Relative URLs between scripts allow a static site to be served from any folder.
    base: "./",
    build: {
        outDir: "../src/cairn/server/pages",
        emptyOutDir: true,
        target: "es2022",
        assetsInlineLimit: 0,
        // tools/check_size.py reads the manifest.
        manifest: true,
        // The combined style sheet is small. With a single file, no page waits for a style sheet of its own.
        cssCodeSplit: false,
        rolldownOptions: {
            // Plugin timings are noise in the output of make.
            checks: { pluginTimings: false, bundlerTimings: false },
            output: {
                // vite.plugins.ts and public/sw.js recognise the files of a language by this prefix.
                chunkFileNames: ({ facadeModuleId }) =>
                    `assets/${LANGUAGE.test(facadeModuleId ?? "") ? "language-" : ""}[name]-[hash].js`,
                assetFileNames: ({ names }) =>
                    `assets/${names[0]?.includes("-cyrillic.") ? "language-ru-" : ""}[name]-[hash][extname]`,
                // Create only a few files: the base, the board, and one per page.
                codeSplitting: {
                    groups: [
                        { name: "base", test: BASE, priority: 2 },
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
