import type { Choice } from "../../lib/client";

/** The next pick on the shortest path to a token; `null` if the picks so far lead elsewhere. */
export function nextPickTo(token: string, choices: readonly Choice[], picks: readonly string[]): string | null {
    const paths = choices.find((choice) => choice.token === token)?.paths ?? [];
    const [path] = paths
        .filter((each) => picks.every((pick, index) => each[index] === pick))
        .sort((one, other) => one.length - other.length);
    return path?.[picks.length] ?? null;
}
