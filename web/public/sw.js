// The service worker: keeps the pages on the device, so that they open without a connection. The build puts the constant
// BUILD before this text: the id of the build, its files, and the files of each language.
//
// While the site can be reached, it always sends the pages itself: a kept page is only shown when nothing else can be.
// So a page never meets the API of a newer server; lib/updates.svelte.ts handles a server that comes back later. Files
// in assets/ have a hash in their names and never change; they come from the device. The API is never touched.
/* global BUILD */
const SCOPE = self.registration.scope;
// Several sites in folders of one host share its caches.
const PREFIX = `cairn ${SCOPE} `;
const CACHE = PREFIX + BUILD.id;
const SHELL = "./";

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("message", (event) =>
    event.waitUntil(keepLanguages([event.data.language]).catch(() => undefined)),
);
self.addEventListener("fetch", (event) => {
    const { request } = event;
    if (request.method !== "GET" || !request.url.startsWith(SCOPE)) return;
    const path = request.url.slice(SCOPE.length).replace(/[?#].*/, "");
    if (path === "api" || path.startsWith("api/")) return;
    if (request.mode === "navigate") event.respondWith(fromNetwork(request, SHELL));
    else if (path.startsWith("assets/")) event.respondWith(fromDevice(request));
    else if (BUILD.files.includes(path)) event.respondWith(fromNetwork(request, path));
});

async function install() {
    const cache = await caches.open(CACHE);
    const shell = await download(SHELL);
    // A deployment may be under way: never mix two builds.
    if (!(await shell.clone().text()).includes(`content="${BUILD.id}"`))
        throw new Error("The page is of another build.");
    await Promise.all([keepLanguages(await usedLanguages()), ...BUILD.files.map((file) => keep(cache, file))]);
    await cache.put(addressOf(SHELL), shell);
    // Nothing has to wait for old pages to be closed: they find their scripts in the cache of their build.
    await self.skipWaiting();
}

async function activate() {
    const others = (await ownCaches()).filter((name) => name !== CACHE);
    await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
    await self.clients.claim();
}

/** Our caches, the oldest first. */
async function ownCaches() {
    return (await caches.keys()).filter((name) => name.startsWith(PREFIX));
}

/** The languages that earlier builds have kept. */
async function usedLanguages() {
    const found = new Set();
    for (const name of await ownCaches()) {
        for (const { url } of await (await caches.open(name)).keys()) {
            const match = /\/assets\/language-(\w+)-/.exec(url);
            if (match) found.add(match[1]);
        }
    }
    return [...found];
}

async function keepLanguages(codes) {
    const cache = await caches.open(CACHE);
    const files = codes.flatMap((code) => BUILD.languages[code] ?? []);
    await Promise.all(files.map((file) => keep(cache, file)));
}

async function keep(cache, file) {
    const known = file.startsWith("assets/") ? await kept(addressOf(file)) : undefined;
    await cache.put(addressOf(file), known ?? (await download(file)));
}

async function download(file) {
    const response = await fetch(addressOf(file), { cache: "no-cache" });
    if (!response.ok) throw new Error(`${file}: ${response.status}`);
    return response;
}

/** A file from any of our caches, the newest first. */
async function kept(address) {
    for (const name of (await ownCaches()).reverse()) {
        const found = await (await caches.open(name)).match(address, { ignoreVary: true });
        if (found) return found;
    }
    return undefined;
}

async function fromDevice(request) {
    return (await kept(request.url)) ?? fetch(request);
}

/** The response of the site, or the kept file if the site cannot be reached or a proxy answers in its place. */
async function fromNetwork(request, file) {
    const stored = async () => (await caches.open(CACHE)).match(addressOf(file), { ignoreVary: true });
    try {
        // Without this, browsers may take a page for fresh because the host does not say for how long it is.
        const response = await fetch(request, { cache: "no-cache" });
        return response.status >= 500 ? ((await stored()) ?? response) : response;
    } catch (error) {
        const found = await stored();
        if (!found) throw error;
        return found;
    }
}

function addressOf(file) {
    return new URL(file, SCOPE).href;
}
