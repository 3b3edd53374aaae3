/** Loads the weights of the trained evaluation, which are a separate file. */
import type { Core } from "./core.ts";

/**
 * Lets the searches of a core use the trained evaluation. If the file cannot be loaded, or is not a file of weights, they
 * use the hand-made evaluation, which is weaker.
 */
export const loadNetwork = (core: Core): Promise<unknown> =>
    fetch(new URL("../../src/cairn/engine/network.bin", import.meta.url))
        .then((response) => response.arrayBuffer())
        .then((weights) => core.loadNetwork(new Uint8Array(weights)))
        .catch(() => null);
