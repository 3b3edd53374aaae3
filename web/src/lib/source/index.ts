import { ServerGameSource } from "./server";
import type { GameSource } from "./source";

export type * from "./source";

/** The source of a game. All games are on the server today. */
export function openGame(id: string): GameSource {
    return new ServerGameSource(id);
}
