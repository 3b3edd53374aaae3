/** The module that the build generates from src/cairn/megaliths.json (vite.plugins.ts). */
declare module "virtual:megaliths" {
    const table: readonly { code: string; set: "beginner" | "standard" | "expert"; starts_on: string | null }[];
    export default table;
}

/** The messages of the entry (vite.messages.ts). */
declare module "virtual:messages" {
    const loaders: import("./i18n").MessageLoaders;
    export default loaders;
}

/** The messages that a module needs in addition: `import messages from "./HomePage.svelte?messages"`. */
declare module "*?messages" {
    const loaders: import("./i18n").MessageLoaders;
    export default loaders;
}
