/**
 * Runs a local game in a worker. `GameClient` starts this worker, calls the game's methods, and terminates it after an
 * error.
 */
import { Core } from "./core.ts";
import { LocalGame } from "./localGame.ts";

/** The methods of `LocalGame` that a page may call. */
export type GameMethod = {
    [Name in keyof LocalGame]: LocalGame[Name] extends (...values: never[]) => unknown ? Name : never;
}[keyof LocalGame];

export interface GameCall {
    id: number;
    method: GameMethod;
    values: unknown[];
}

export type GameReply = { id: number; result: unknown } | { id: number; error: string };

let game: Promise<LocalGame>;

async function answer({ id, method, values }: GameCall): Promise<GameReply> {
    try {
        const called = await game;
        const run = called[method] as (...values: unknown[]) => unknown;
        return { id, result: run.apply(called, values) };
    } catch (error) {
        return { id, error: String(error) };
    }
}

addEventListener("message", async ({ data }: MessageEvent<GameCall | { module: WebAssembly.Module }>) => {
    if ("module" in data) game = Core.load(data.module).then((core) => new LocalGame(core));
    else postMessage(await answer(data));
});
