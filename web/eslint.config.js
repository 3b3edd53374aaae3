import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";

import boundaries from "./lint/boundaries.js";
import svelteConfig from "./svelte.config.js";

export default ts.config(
    { ignores: ["node_modules", ".svelte-check", "src/lib/api.d.ts", "board/src/generated", "board/dist"] },
    js.configs.recommended,
    ...ts.configs.strict,
    ...svelte.configs.recommended,
    { plugins: { boundaries }, rules: { "boundaries/imports": "error" } },
    { languageOptions: { globals: { ...globals.browser, ...globals.node } } },
    {
        files: ["**/*.svelte", "**/*.svelte.ts"],
        languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: [".svelte"], svelteConfig } },
        // We replace dates, URLs and maps in state instead of mutating them.
        rules: { "svelte/prefer-svelte-reactivity": "off" },
    },
);
