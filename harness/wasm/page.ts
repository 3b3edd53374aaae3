/** The test page: replays games in a worker, and makes the clients of web/core available to tests. */
import { EnginePool } from "./enginePool.ts";
import { GameClient } from "./gameClient.ts";
import { startSearch } from "./searchClient.ts";

async function prepare(): Promise<void> {
    const module = await WebAssembly.compileStreaming(fetch("/cairn.wasm"));
    const replayer = new Worker("/replay.worker.js", { type: "module" });
    replayer.postMessage({ module });
    const replay = (games: unknown): Promise<unknown> =>
        new Promise((resolve, reject) => {
            replayer.onmessage = ({ data }) => resolve(data);
            replayer.onerror = ({ message }) => reject(new Error(message));
            replayer.postMessage(games);
        });
    Object.assign(globalThis, { cairn: { module, replay, EnginePool, GameClient, startSearch } });
}

// The test waits for this attribute.
prepare().then(
    () => (document.body.dataset.state = "ready"),
    (error: unknown) => (document.body.dataset.state = String(error)),
);
