import { svelte } from "@sveltejs/vite-plugin-svelte";
import { svelteTesting } from "@testing-library/svelte/vite";
import { defineConfig } from "vitest/config";

/** Where `cairn serve` listens while `npm run dev` serves the pages. */
const server = process.env.CAIRN_SERVER ?? "http://127.0.0.1:8765";

export default defineConfig({
    plugins: [svelte(), svelteTesting()],
    build: {
        outDir: "../src/cairn/server/pages",
        emptyOutDir: true,
        target: "es2022",
        assetsInlineLimit: 0,
        rolldownOptions: {
            // How long a plugin takes is nothing that somebody who wants to play needs to read.
            checks: { pluginTimings: false, bundlerTimings: false },
            output: {
                // Languages can be told apart by name, since of them a visitor fetches only one.
                chunkFileNames: ({ facadeModuleId }) =>
                    `assets/${/\/(en|fr|de|ru)\.\w+$/.test(facadeModuleId ?? "") ? "language-" : ""}[name]-[hash].js`,
            },
        },
    },
    server: { proxy: { "/api": { target: server, ws: true } }, fs: { allow: [".."] } },
    test: {
        environment: "jsdom",
        include: ["src/**/*.test.ts"],
        setupFiles: ["src/test/setup.ts"],
        // Generous, for machines that do other things beside.
        testTimeout: 30_000,
    },
});
