/**
 * Splits the messages, so that a visitor downloads only those of the pages that they open, in one language.
 *
 * `virtual:messages` holds the messages of the entry: of `src/main.ts` and the modules that it imports. Importing
 * `./HomePage.svelte?messages` gives the other messages that this module and its imports need. Both are tables with one
 * loader for each language. Nobody lists the messages of a page: the keys are read from the sources.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

import type { Plugin } from "vite";

const WEB = import.meta.dirname;
const FOLDERS = [join(WEB, "src/messages"), join(WEB, "../src/cairn/messages")];
const MEGALITHS = join(WEB, "../src/cairn/megaliths.json");
const ENTRY = "src/main.ts";
const LANGUAGES = ["en", "fr", "de", "ru"];
const PREFIX = "\0virtual:messages/";

type Messages = Record<string, string>;

/** The keys in the text of a module, and the prefixes of keys that it constructs: `play.kind.${kind}`. */
export function keysIn(text: string, areas: readonly string[]): { keys: string[]; prefixes: string[] } {
    const pattern = new RegExp(`["'\`]((?:${areas.join("|")})\\.[\\w.-]*)(["'\`]|\\$\\{)`, "g");
    const found = [...text.matchAll(pattern)].map(([, name = "", end]) => ({ name, isPrefix: end === "${" }));
    return {
        keys: found.filter(({ isPrefix }) => !isPrefix).map(({ name }) => name),
        prefixes: found.filter(({ isPrefix }) => isPrefix).map(({ name }) => name),
    };
}

/** A module's imports, as paths relative to web/. */
interface Imports {
    /** Modules that it imports statically. */
    direct: string[];
    /** Modules that it imports dynamically, except those whose messages it loads separately. */
    later: string[];
    /** Modules whose messages it loads separately. */
    separate: string[];
}

const STATIC = /^\s*(?:import|export)\b(?!\s+type\b)[^"';()]*?(?:from\s*)?"(\.[^"]+)"/gm;
const DYNAMIC = /(?<!typeof )\bimport\("(\.[^"]+)"\)/g;
const SEPARATE = "?messages";

function importsOf(file: string, text: string): Imports {
    const named = (pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, source = ""]) => source);
    const all = named(STATIC);
    const paths = (sources: string[]): string[] => sources.flatMap((source) => sourceFile(file, source) ?? []);
    const separate = paths(
        all.filter((each) => each.endsWith(SEPARATE)).map((each) => each.slice(0, -SEPARATE.length)),
    );
    return {
        direct: paths(all.filter((each) => !each.endsWith(SEPARATE))),
        later: paths(named(DYNAMIC)).filter((path) => !separate.includes(path)),
        separate,
    };
}

/** The module that an import refers to; `null` if it has no messages because it is neither TypeScript nor Svelte. */
function sourceFile(importer: string, source: string): string | null {
    const path = join(dirname(importer), source);
    const candidates = [path, `${path}.ts`, `${path}.svelte.ts`, `${path}/index.ts`];
    return candidates.find((each) => /\.(ts|svelte)$/.test(each) && existsSync(join(WEB, each))) ?? null;
}

/** The messages of all pages in a language, with the names and powers of the megaliths. */
function allMessages(language: string): Messages {
    const names = (folder: string): string[] =>
        readdirSync(folder).filter((name) => name.endsWith(`.${language}.json`));
    const files = FOLDERS.flatMap((folder) => names(folder).map((name) => join(folder, name)));
    // The messages in `cli` are for the command line only.
    const read = files.filter((file) => !/[\\/]cli\.\w+\.json$/.test(file)).map((file) => readFileSync(file, "utf-8"));
    return Object.assign(
        {},
        ...read.map((text) => JSON.parse(text) as Messages),
        megalithMessages(language),
    ) as Messages;
}

interface Row {
    code: string;
    name: Messages;
    power: Messages;
}

/** Converts the table to messages. It has straight apostrophes, which would be escape characters in messages. */
function megalithMessages(language: string): Messages {
    const rows = JSON.parse(readFileSync(MEGALITHS, "utf-8")) as Row[];
    const text = (texts: Messages): string => (texts[language] ?? "").replaceAll("'", "’");
    return Object.fromEntries(
        rows.flatMap(({ code, name, power }) => [
            [`megalith.${code}.name`, text(name)],
            [`megalith.${code}.power`, text(power)],
        ]),
    );
}

/** Finds which messages a module needs. It reads each source file once. */
export class MessageUse {
    readonly #areas = [...new Set(Object.keys(allMessages("en")).map((key) => key.split(".", 1)[0] ?? ""))];
    readonly #sources = new Map<string, { text: string; imports: Imports }>();

    /** A module and all modules that it loads, now or later, without those whose messages are loaded separately. */
    modules(root: string): Set<string> {
        const found = new Set<string>([root]);
        // A Set also visits what is added during the iteration.
        for (const file of found) {
            const { direct, later } = this.#source(file).imports;
            for (const each of [...direct, ...later]) found.add(each);
        }
        return found;
    }

    /** The messages that a module needs in addition to those of the modules that load it. */
    messages(root: string, language: string): Messages {
        const isUsed = this.#use(this.modules(root));
        const isLoaded = this.#isLoadedBefore(root);
        const entries = Object.entries(allMessages(language)).filter(([key]) => isUsed(key) && !isLoaded(key));
        return Object.fromEntries(entries);
    }

    /** Whether a message is available whenever a part of the site is loaded: from the entry or from all its parents. */
    #isLoadedBefore(root: string): (key: string) => boolean {
        if (root === ENTRY) return () => false;
        const inEntry = this.#use(this.modules(ENTRY));
        const parents = this.parts().filter((part) => this.#separate(part).has(root));
        const inParents = parents.map((part) => this.#use(this.modules(part)));
        return (key) => inEntry(key) || (inParents.length > 0 && inParents.every((isIn) => isIn(key)));
    }

    /** The entry, and all modules whose messages are loaded separately. */
    parts(): string[] {
        const found = new Set([ENTRY]);
        for (const part of found) for (const each of this.#separate(part)) found.add(each);
        return [...found];
    }

    #separate(part: string): Set<string> {
        return new Set([...this.modules(part)].flatMap((file) => this.#source(file).imports.separate));
    }

    #use(files: ReadonlySet<string>): (key: string) => boolean {
        const found = [...files].map((file) => keysIn(this.#source(file).text, this.#areas));
        const keys = new Set(found.flatMap((each) => each.keys));
        const prefixes = [...new Set(found.flatMap((each) => each.prefixes))];
        return (key) => keys.has(key) || prefixes.some((prefix) => key.startsWith(prefix));
    }

    #source(file: string): { text: string; imports: Imports } {
        const known = this.#sources.get(file);
        if (known) return known;
        const text = readFileSync(join(WEB, file), "utf-8");
        const made = { text, imports: importsOf(file, text) };
        this.#sources.set(file, made);
        return made;
    }
}

/** Serves the message modules. With `together`, the entry has the messages of all pages: unit tests open no pages. */
export function messages({ together = false } = {}): Plugin {
    const loaders = (root: string): string => {
        const entries = LANGUAGES.map((code) => `${code}: () => import("virtual:messages/${root}/${code}")`);
        return `export default { ${entries.join(", ")} };`;
    };
    return {
        name: "messages",
        // The Svelte plugin must not compile HomePage.svelte?messages.
        enforce: "pre",
        resolveId(id, importer) {
            if (id === "virtual:messages") return `${PREFIX}${ENTRY}/loaders`;
            if (id.startsWith("virtual:messages/")) return `\0${id}`;
            if (!id.endsWith(SEPARATE) || !importer) return null;
            const path = resolve(dirname(importer.replace(/\?.*/, "")), id.slice(0, -SEPARATE.length));
            const file = sourceFile(".", `./${relative(WEB, path).replaceAll("\\", "/")}`);
            if (!file) throw new Error(`${importer} imports the messages of ${id}, which does not exist`);
            return `${PREFIX}${file}/loaders`;
        },
        load(id) {
            if (!id.startsWith(PREFIX)) return null;
            const [, root = "", kind = ""] = /^(.*)\/(\w+)$/.exec(id.slice(PREFIX.length)) ?? [];
            if (kind === "loaders") return { code: loaders(root), moduleType: "js" };
            const use = new MessageUse();
            for (const file of use.modules(root)) this.addWatchFile(join(WEB, file));
            const content = together ? allMessages(kind) : use.messages(root, kind);
            return { code: `export default ${JSON.stringify(content)};`, moduleType: "js" };
        },
    };
}
