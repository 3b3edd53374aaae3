/** Custom Vite plugins that generate files for the build. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

import { minifySync, type Plugin } from "vite";

interface Row {
    code: string;
    set: string;
    starts_on: string | null;
}

const MEGALITHS = fileURLToPath(new URL("../src/cairn/megaliths.json", import.meta.url));

/** The megalith table as a module, `virtual:megaliths`. Names and powers are messages; see vite.messages.ts. */
export function megaliths(): Plugin {
    const name = "virtual:megaliths";
    return {
        name: "megaliths",
        resolveId: (id) => (id === name ? `\0${name}` : null),
        load(id) {
            if (id !== `\0${name}`) return null;
            this.addWatchFile(MEGALITHS);
            const rows = JSON.parse(readFileSync(MEGALITHS, "utf-8")) as Row[];
            const content = rows.map(({ code, set, starts_on }) => ({ code, set, starts_on }));
            return { code: `export default ${JSON.stringify(content)};`, moduleType: "js" };
        },
    };
}

/** The files that the service worker caches. It caches `index.html` separately, as `./`. */
const KEPT = /^(?!sw\.js|version\.json|index\.html|\.vite\/)(?!.*\.png$)/;
const LANGUAGE_FILE = /^assets\/language-(\w+)-/;

/**
 * Makes the application installable: gives the build an id, writes it to `index.html` and `version.json`, and tells the
 * service worker which files belong to the build.
 */
export function application(): Plugin {
    return {
        name: "application",
        apply: "build",
        enforce: "post",
        writeBundle: {
            order: "pre",
            sequential: true,
            handler({ dir = "." }) {
                const change = (name: string, edit: (text: string) => string): void =>
                    writeFileSync(join(dir, name), edit(readFileSync(join(dir, name), "utf-8")));
                const names = readdirSync(dir, { recursive: true, withFileTypes: true })
                    .filter((entry) => entry.isFile())
                    .map((entry) => relative(dir, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
                    .sort();
                // The bundler copies the scripts in public/ without minifying them.
                for (const name of ["start.js", "sw.js"]) change(name, (script) => minifySync(name, script).code);
                const hash = createHash("sha256");
                for (const name of names) hash.update(name).update(readFileSync(join(dir, name)));
                const id = hash.digest("hex").slice(0, 16);
                const languages: Record<string, string[]> = {};
                const files: string[] = [];
                for (const name of names.filter((each) => KEPT.test(each))) {
                    const code = LANGUAGE_FILE.exec(name)?.[1];
                    (code ? (languages[code] ??= []) : files).push(name);
                }
                // The server serves this page at every path, so its URLs must be absolute.
                change("index.html", (html) =>
                    html
                        .replaceAll(/(href|src)="\.\//g, '$1="/')
                        .replace("<head>", `<head>\n        <meta name="cairn-build" content="${id}" />`),
                );
                change("sw.js", (script) => `const BUILD = ${JSON.stringify({ id, files, languages })};\n${script}`);
                writeFileSync(join(dir, "version.json"), JSON.stringify({ build: id }));
            },
        },
    };
}

/** Smaller files do not benefit from compression. */
const SMALLEST = 1000;
const COMPRESSED = /^(?!\.vite).*\.(js|css|svg|html|json|wasm|bin)$/;

/** Writes a `.br` and a `.gz` file next to each text file, with maximum compression, for the server to send as is. */
export function precompress(): Plugin {
    const brotli = promisify(brotliCompress);
    const options = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
    return {
        name: "precompress",
        apply: "build",
        enforce: "post",
        writeBundle: {
            sequential: true,
            async handler({ dir = "." }) {
                const files = readdirSync(dir, { recursive: true, encoding: "utf-8" }).filter((name) =>
                    COMPRESSED.test(name),
                );
                await Promise.all(
                    files.map(async (name) => {
                        const file = join(dir, name);
                        const content = await readFile(file);
                        if (content.length < SMALLEST) return;
                        await writeFile(`${file}.br`, await brotli(content, options));
                        await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
                    }),
                );
            },
        },
    };
}
