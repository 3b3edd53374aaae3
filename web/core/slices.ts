/** Runs searches in slices, so that their worker receives messages in between. */
import { Core, hasFaults, type LineOfPlay, type SearchState } from "./core.ts";

/** How long a search runs before it is asked to pause for messages, in milliseconds. It pauses within about 5 ms. */
const SLICE = 15;

let deadline = 0;

const channel = new MessageChannel();

/** Yields to the event loop, so that messages are delivered. Unlike a timer, this adds no delay. */
function nextTask(): Promise<void> {
    return new Promise((resolve) => {
        channel.port1.onmessage = () => resolve();
        channel.port2.postMessage(null);
    });
}

/** Loads a core whose searches pause at the end of each slice. */
export function loadSliced(module: WebAssembly.Module): Promise<Core> {
    return Core.load(module, () => performance.now() >= deadline);
}

/** Makes the end of a line of play the core's current game. Throws if the line is not legal. */
export function startLine(core: Core, { position, tokens }: LineOfPlay): void {
    if (hasFaults(core.start(position)) || tokens.some((token) => hasFaults(core.play(token)))) {
        throw new Error("the line of play is not legal");
    }
}

/**
 * Continues a search until it ends, or soon after `isStopped` returns true. Calls `report` after each finished depth and
 * at the end.
 */
export async function runSearch(
    core: Core,
    isStopped: () => boolean,
    report: (state: SearchState) => void,
): Promise<void> {
    let depth = 0;
    for (;;) {
        if (isStopped()) core.abort();
        deadline = performance.now() + SLICE;
        const state = core.proceed();
        if (state.done || state.depth > depth) report(state);
        if (state.done) return;
        depth = state.depth;
        await nextTask();
    }
}
