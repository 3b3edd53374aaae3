/** Loads the core's WebAssembly module, which is a separate file, when it is first needed. */
import { MissingFile } from "./workerError.ts";

let loading: Promise<WebAssembly.Module> | null = null;

/**
 * The compiled module, for `GameClient` and `startSearch`. Rejects with `MissingFile` if it cannot be loaded; call again
 * to retry.
 */
export function loadModule(): Promise<WebAssembly.Module> {
    loading ??= load().catch((error: unknown) => {
        loading = null;
        // The download may also be cut off, or be an error page of the host with status 200.
        throw new MissingFile(`cannot load cairn.wasm: ${String(error)}`);
    });
    return loading;
}

async function load(): Promise<WebAssembly.Module> {
    const response = await fetch(new URL("./cairn.wasm", import.meta.url));
    if (!response.ok) throw new Error(`HTTP status ${response.status}`);
    // Do not use compileStreaming, which refuses the file if the web server sends the wrong media type.
    return WebAssembly.compile(await response.arrayBuffer());
}
