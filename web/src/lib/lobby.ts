/** Applies messages from the lobby's socket, which first sends all challenges and then only changes. */
import type { components } from "./api";
import type { ChallengeView } from "./online";

type Schemas = components["schemas"];

export type LobbyMessage = Schemas["LobbyMessage"] | Schemas["LobbyChangeMessage"];

/** The challenges after a message, newest first. */
export function afterMessage(before: readonly ChallengeView[], message: LobbyMessage): readonly ChallengeView[] {
    if (message.type === "lobby") return message.challenges;
    const replaced = new Set([...message.gone, ...message.challenges.map(({ id }) => id)]);
    const kept = before.filter(({ id }) => !replaced.has(id));
    return [...message.challenges, ...kept].sort((one, other) => Date.parse(other.created) - Date.parse(one.created));
}
