import { isOnDevice, packedIn } from "../ids";
import { DeviceGameSource } from "./device";
import { LinkedGameSource } from "./linked";
import { ServerGameSource } from "./server";
import type { GameSource } from "./source";

export type * from "./source";

/** The source of a game. The id's prefix says whether the game is on the server, on this device or in a link. */
export function openGame(id: string): GameSource {
    const packed = packedIn(id);
    if (packed !== null) return new LinkedGameSource(id, packed);
    return isOnDevice(id) ? new DeviceGameSource(id) : new ServerGameSource(id);
}
