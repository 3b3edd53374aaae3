import { isOnDevice } from "../ids";
import { DeviceGameSource } from "./device";
import { ServerGameSource } from "./server";
import type { GameSource } from "./source";

export type * from "./source";

/** The source of a game. The prefix of the id determines whether the game is on the server or on this device. */
export function openGame(id: string): GameSource {
    return isOnDevice(id) ? new DeviceGameSource(id) : new ServerGameSource(id);
}
