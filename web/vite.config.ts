import { readFileSync } from "node:fs";

import { svelte } from "@sveltejs/vite-plugin-svelte";
import { svelteTesting } from "@testing-library/svelte/vite";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

import { megaliths, precompress } from "./vite.plugins.ts";

/** Where `cairn serve` listens while `npm run dev` serves the pages. */
const server = process.env.CAIRN_SERVER ?? "http://127.0.0.1:8765";

/** Of these a visitor fetches one. */
const LANGUAGE = /\/(en|fr|de|ru)\.\w+$/;

/** What nearly every page needs: the framework, what speaks to the server, the frame around the pages. */
const BASE =
    /node_modules\/(?!@noble)|virtual:megaliths$|\/board\/src\/(position|generated\/tiles)|\/src\/(main|lib\/(?!i18n\/languages\/)|app\/(App|pages)\b|app\/shell\/|app\/shared\/(Choices|Faults|Notices|Switch|reveal)|app\/sentences\/(gameSummary|endReason))/;
/** The board with its drawings, and the words for what happens on it. */
const TABLE = /\/board\/src\/|\/src\/(app\/shared\/Mini|app\/sentences\/)/;

/** The drawings stand in the page itself: they are read while the scripts are on their way. */
function drawings(): Plugin {
    const sheet = new URL("board/src/art.svg", import.meta.url);
    return {
        name: "drawings",
        transformIndexHtml: (html) => html.replace("<body>", () => `<body>\n${readFileSync(sheet, "utf-8")}`),
    };
}

/** Tells public/start.js which scripts a page and a language need, so that it can ask for them before others do. */
function early(): Plugin {
    return {
        name: "early",
        transformIndexHtml: {
            order: "post",
            handler(_, { bundle }) {
                const chunks = Object.values(bundle ?? {}).filter((each) => each.type === "chunk");
                const needs = (module: string): string[] => {
                    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module));
                    return chunk ? [chunk.fileName, ...chunk.imports] : [];
                };
                const content = JSON.stringify({
                    game: needs("/PlayPage.svelte"),
                    home: needs("/HomePage.svelte"),
                    ...Object.fromEntries(
                        ["en", "fr", "de", "ru"].map((code) => [code, needs(`/i18n/languages/${code}.ts`)]),
                    ),
                });
                // Nearly everybody comes to see a table.
                const table = chunks.find(({ name }) => name === "table");
                return [
                    { tag: "meta", attrs: { name: "early", content }, injectTo: "head-prepend" },
                    ...(table ? [{ tag: "link", attrs: { rel: "modulepreload", href: `/${table.fileName}` } }] : []),
                ];
            },
        },
    };
}

export default defineConfig({
    plugins: [svelte(), svelteTesting(), megaliths(), drawings(), early(), precompress()],
    build: {
        outDir: "../src/cairn/server/pages",
        emptyOutDir: true,
        target: "es2022",
        assetsInlineLimit: 0,
        // All styles together weigh less than two drawings, and one file of them holds nobody up later.
        cssCodeSplit: false,
        rolldownOptions: {
            // How long a plugin takes is nothing that somebody who wants to play needs to read.
            checks: { pluginTimings: false, bundlerTimings: false },
            output: {
                // Languages can be told apart by name, since of them a visitor fetches only one.
                chunkFileNames: ({ facadeModuleId }) =>
                    `assets/${LANGUAGE.test(facadeModuleId ?? "") ? "language-" : ""}[name]-[hash].js`,
                // Few files: what nearly every page needs, the table with its drawings, and then page by page.
                codeSplitting: {
                    groups: [
                        { name: "base", test: BASE, priority: 2 },
                        { name: "table", test: TABLE, priority: 1 },
                    ],
                },
            },
        },
    },
    server: { proxy: { "/api": { target: server, ws: true } }, fs: { allow: [".."] } },
    test: {
        environment: "jsdom",
        include: ["{src,board/src}/**/*.test.ts", "lint/*.test.js"],
        setupFiles: ["src/test/setup.ts"],
        // Generous, for machines that do other things beside.
        testTimeout: 30_000,
    },
});
