/** Loads the weights of the trained evaluation, which are a separate file. */
import type { Core } from "./core.ts";

/**
 * Lets the searches of a core use the trained evaluation. If the file cannot be loaded, they use the hand-made evaluation,
 * which is weaker.
 */
export async function loadNetwork(core: Core): Promise<void> {
    const address = new URL("../../src/cairn/engine/network.bin", import.meta.url);
    const response = await fetch(address).catch(() => null);
    const weights = response?.ok ? await response.arrayBuffer().catch(() => null) : null;
    if (weights) core.loadNetwork(new Uint8Array(weights));
}
