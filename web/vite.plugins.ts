/** Our own Vite plugins, which generate files for the build. */
import { readdirSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

import type { Plugin } from "vite";

interface Row {
    code: string;
    set: string;
    starts_on: string | null;
    name: Record<string, string>;
    power: Record<string, string>;
}

const MEGALITHS = fileURLToPath(new URL("../src/cairn/megaliths.json", import.meta.url));

/**
 * The megalith table as modules, so that a visitor downloads the names in one language only: `virtual:megaliths` holds
 * the data that all languages share, and `virtual:megaliths/en` the English texts as messages.
 */
export function megaliths(): Plugin {
    const prefix = "\0virtual:megaliths";
    return {
        name: "megaliths",
        resolveId: (id) => (`\0${id}`.startsWith(prefix) ? `\0${id}` : null),
        load(id) {
            if (!id.startsWith(prefix)) return null;
            this.addWatchFile(MEGALITHS);
            const rows = JSON.parse(readFileSync(MEGALITHS, "utf-8")) as Row[];
            const language = id.slice(prefix.length + 1);
            const content = language
                ? Object.fromEntries(rows.flatMap((row) => messagesOf(row, language)))
                : rows.map(({ code, set, starts_on }) => ({ code, set, starts_on }));
            return { code: `export default ${JSON.stringify(content)};`, moduleType: "js" };
        },
    };
}

/** The table uses straight apostrophes, as printed; in messages, they would be escape characters. */
function messagesOf({ code, name, power }: Row, language: string): [string, string][] {
    const text = (texts: Record<string, string>): string => (texts[language] ?? "").replaceAll("'", "’");
    return [
        [`megalith.${code}.name`, text(name)],
        [`megalith.${code}.power`, text(power)],
    ];
}

/** Smaller files gain nothing from compression. */
const SMALLEST = 1000;
const COMPRESSED = /\.(js|css|svg|html|json)$/;

/** Writes a `.br` and a `.gz` file beside each text file, at maximum compression, for the server to send as is. */
export function precompress(): Plugin {
    const brotli = promisify(brotliCompress);
    const options = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
    return {
        name: "precompress",
        apply: "build",
        enforce: "post",
        async writeBundle({ dir = "." }) {
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
    };
}
