/** Builds the board as a single script, dist/board.js, that a page can import without a bundler. */
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

export default defineConfig({
    root: import.meta.dirname,
    // The script includes its styles, so that a page has nothing else to load.
    plugins: [svelte({ configFile: "../svelte.config.js", emitCss: false })],
    build: {
        lib: { entry: "src/index.ts", formats: ["es"], fileName: "board" },
        outDir: "dist",
        target: "es2022",
        rolldownOptions: { checks: { pluginTimings: false, bundlerTimings: false } },
    },
});
