import { hasServer } from "../host";
import { isOnDevice, packedIn } from "../ids";
import type { GameSource } from "./source";

export type * from "./source";

/** The code for games on a server and for games without one. A visit seldom needs both. */
let server: typeof import("./server") | undefined;
let here: typeof import("./here") | undefined;

/** Load the code for the source of a game, or, without an id, for the games that this site normally has. */
export async function loadSource(id?: string): Promise<void> {
    const needsServer = id === undefined ? hasServer : !isOnDevice(id);
    if (needsServer) server ??= await import("./server");
    else here ??= await import("./here");
}

/**
 * The source of a game. The id's prefix says whether the game is on the server, on this device or in a link. Wait for
 * {@link loadSource} first.
 */
export function openGame(id: string): GameSource {
    const packed = packedIn(id);
    if (packed !== null && here) return new here.LinkedGameSource(id, packed);
    if (isOnDevice(id) && here) return new here.DeviceGameSource(id);
    if (server) return new server.ServerGameSource(id);
    throw new Error(`loadSource has not loaded the code for the game ${id}`);
}
