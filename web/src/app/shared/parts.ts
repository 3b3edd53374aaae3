/** Data files of the site that are loaded in parts, when a part is needed. */

/**
 * A function that loads a part by its name. `files` are the addresses of the parts, relative to this module, by their
 * paths. A part is loaded once; a failed attempt rejects and is repeated by the next call. An unknown part is `null`.
 */
export function partLoader<Part>(files: Readonly<Record<string, string>>): (name: string) => Promise<Part | null> {
    const addresses = new Map(
        Object.entries(files).map(([path, address]) => [path.replace(/^.*\/|\.\w+$/g, ""), address]),
    );
    const loaded = new Map<string, Promise<Part | null>>();
    return (name) => {
        const known = loaded.get(name);
        if (known) return known;
        const loading = fetchPart<Part>(name, addresses.get(name)).catch((error: unknown) => {
            loaded.delete(name);
            throw error;
        });
        loaded.set(name, loading);
        return loading;
    };
}

async function fetchPart<Part>(name: string, address: string | undefined): Promise<Part | null> {
    if (address === undefined) return null;
    const response = await fetch(new URL(address, import.meta.url));
    if (!response.ok) throw new Error(`cannot load part ${name}: HTTP status ${response.status}`);
    return (await response.json()) as Part;
}
