/** Applies messages from the lobby's socket, which first sends all challenges and then only changes. */
import type { components } from "./api";
import type { ChallengeView } from "./online";

type Schemas = components["schemas"];

export type LobbyMessage = Schemas["LobbyMessage"] | Schemas["LobbyChangeMessage"];

/** The challenges after a message, newest first. */
export function afterMessage(before: readonly ChallengeView[], message: LobbyMessage): readonly ChallengeView[] {
    const listed = message.challenges;
    if (message.type === "lobby") return listed;
    const replaced = new Set([...message.gone, ...listed.map(({ id }) => id)]);
    const kept = before.filter(({ id }) => !replaced.has(id));
    return [...listed, ...kept].sort((one, other) => Date.parse(other.created) - Date.parse(one.created));
}
