/** Loads the core's WebAssembly module, a separate file of about 80 kB, when it is first needed. */

let loading: Promise<WebAssembly.Module> | null = null;

/** The compiled module, for `GameClient` and `startSearch`. Rejects if the file cannot be loaded; call again to retry. */
export function loadModule(): Promise<WebAssembly.Module> {
    loading ??= load().catch((error: unknown) => {
        loading = null;
        throw error;
    });
    return loading;
}

async function load(): Promise<WebAssembly.Module> {
    const response = await fetch(new URL("./cairn.wasm", import.meta.url));
    if (!response.ok) throw new Error(`cannot load cairn.wasm: HTTP status ${response.status}`);
    // Do not use compileStreaming, which refuses the file if the web server sends the wrong media type.
    return WebAssembly.compile(await response.arrayBuffer());
}
