/** Modules that the build generates from src/cairn/megaliths.json (vite.plugins.ts). */
declare module "virtual:megaliths" {
    const table: readonly { code: string; set: "beginner" | "standard" | "expert"; starts_on: string | null }[];
    export default table;
}

declare module "virtual:megaliths/*" {
    const messages: Readonly<Record<string, string>>;
    export default messages;
}
