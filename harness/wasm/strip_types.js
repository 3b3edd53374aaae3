/** Writes TypeScript files as JavaScript: strip_types.js TARGET_FOLDER FILE.ts ... */
import { readFileSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { basename, join } from "node:path";

const [folder, ...files] = process.argv.slice(2);
for (const file of files) {
    const code = stripTypeScriptTypes(readFileSync(file, "utf-8")).replaceAll(/\.ts(["'])/g, ".js$1");
    writeFileSync(join(folder, basename(file).replace(/\.ts$/, ".js")), code);
}
