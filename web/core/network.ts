/** Loads the weights of the trained evaluation, a separate file, when a search at full strength first needs them. */

/** How long a search waits for the weights, in milliseconds. After that, they are loaded for later searches. */
const LONGEST_WAIT = 10_000;
/** How long the download may take, in milliseconds. */
const LONGEST_DOWNLOAD = 60_000;

let loading: Promise<Uint8Array | null> | null = null;
/** Resolves to `null` when searches no longer wait for the download. */
let waited: Promise<null> = Promise.resolve(null);

/**
 * The weights for {@link Core.loadNetwork}; `null` if they cannot be loaded or take too long, in which case searches use
 * the hand-made evaluation. Call again to retry.
 */
export function loadNetwork(): Promise<Uint8Array | null> {
    if (!loading) {
        loading = load().catch((error: unknown) => {
            console.info("Could not load the network.", error);
            loading = null;
            return null;
        });
        waited = new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT, null));
    }
    // If both have resolved, the weights win.
    return Promise.race([loading, waited]);
}

async function load(): Promise<Uint8Array> {
    const address = new URL("../../src/cairn/engine/network.bin", import.meta.url);
    const response = await fetch(address, { signal: AbortSignal.timeout(LONGEST_DOWNLOAD) });
    if (!response.ok) throw new Error(`HTTP status ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
}
