/**
 * An ESLint rule that enforces the folder order in web/README.md: a folder may import only from itself and from the
 * folders listed for it in the table below.
 */
import path from "node:path";

const WEB = path.resolve(import.meta.dirname, "..");

/** The folders that every page may import from. */
const SHARED = ["board", "src/lib", "src/app/sentences", "src/app/shared"];
const PAGES = ["account", "admin", "games", "home", "learn", "lobby", "player", "running", "settings", "setup"];

/** Folders in dependency order, each with the folders that it may import from. */
export const ALLOWED = {
    board: [],
    "src/lib/api": [],
    core: ["src/lib/api"],
    "src/messages": [],
    "src/lib": ["src/lib/api", "core", "src/messages"],
    "src/app/sentences": ["board", "src/lib"],
    "src/app/shared": ["board", "src/lib", "src/app/sentences"],
    "src/app/study": ["core", ...SHARED],
    "src/app/cards": SHARED,
    "src/app/online": SHARED,
    "src/app/guide": SHARED,
    "src/app/play": [...SHARED, "src/app/cards", "src/app/online", "src/app/guide"],
    ...Object.fromEntries(PAGES.map((page) => [`src/app/${page}`, SHARED])),
    "src/app/exercise": [...SHARED, "src/app/cards", "src/app/play"],
    "src/app/tutorial": [...SHARED, "src/app/cards", "src/app/play", "src/app/exercise"],
    "src/app/puzzles": [...SHARED, "src/app/cards", "src/app/play", "src/app/exercise"],
    "src/app/explorer": SHARED,
    "src/app/analysis": ["core", ...SHARED, "src/app/guide", "src/app/study", "src/app/explorer"],
    "src/app/review": ["core", ...SHARED, "src/app/play", "src/app/study"],
    "src/app/mistakes": [...SHARED, "src/app/play", "src/app/review"],
    "src/app/shell": SHARED,
    "src/app": null,
    src: null,
};

/** The folder for test helpers and recorded server responses. Only tests may import from it. */
const TEST_HELPERS = "src/test";

/** The folder in the table that a path (relative to web/) belongs to; `null` if there is none. */
function folderOf(file) {
    const names = Object.keys(ALLOWED).filter((name) => file === name || file.startsWith(`${name}/`));
    return names.sort((one, other) => other.length - one.length)[0] ?? null;
}

/** The path (relative to web/) that an import refers to; `null` for a package. */
export function targetOf(file, source) {
    if (source === "@cairn/board" || source.startsWith("@cairn/board/")) return "board";
    if (!source.startsWith(".")) return null;
    return path.relative(WEB, path.resolve(path.dirname(file), source)).replaceAll(path.sep, "/");
}

/** The importing and the imported folder if an import is forbidden; `null` if it is allowed. */
function fault(file, source) {
    const target = targetOf(file, source);
    const here = path.relative(WEB, file).replaceAll(path.sep, "/");
    const from = folderOf(here);
    const to = target && folderOf(target);
    if (!from || !to || from === to || here.startsWith(TEST_HELPERS)) return null;
    if (target.startsWith(TEST_HELPERS)) return here.endsWith(".test.ts") ? null : { from, to: TEST_HELPERS };
    return ALLOWED[from] === null || ALLOWED[from].includes(to) ? null : { from, to };
}

/** @type {import("eslint").Rule.RuleModule} */
const imports = {
    meta: {
        type: "problem",
        schema: [],
        messages: { order: "{{from}} must not import from {{to}}: see the folder order in web/README.md." },
    },
    create(context) {
        const check = ({ source }) => {
            const data = typeof source?.value === "string" && fault(context.filename, source.value);
            if (data) context.report({ node: source, messageId: "order", data });
        };
        return {
            ImportDeclaration: check,
            ImportExpression: check,
            ExportNamedDeclaration: check,
            ExportAllDeclaration: check,
        };
    },
};

export default { rules: { imports } };
