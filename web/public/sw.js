// The service worker: caches the pages so that they open offline. The build prepends the constant
// BUILD to this file. It contains the id of the build, its files, and the files of each language.
//
// Pages come from the network while the site responds, and from the cache only if it does not. So a page normally
// matches the server's API; lib/updates.svelte.ts handles a server that restarts with a newer build. Files in assets/
// have a hash in their names and never change, so they come from the cache. API requests are left to the browser.
/* global BUILD */
const SCOPE = self.registration.scope;
// Sites in different folders of one host share its cache storage, so the names of our caches need a prefix.
const PREFIX = `cairn ${SCOPE} `;
const CACHE = PREFIX + BUILD.id;
const SHELL = "./";
/** How long to wait for a response if the file is cached, in milliseconds. */
const LONGEST_WAIT = 4_000;
/** Until when files of a page come from the cache at once, because the site did not respond. */
let silentUntil = 0;

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("message", (event) =>
    event.waitUntil(cacheLanguages([event.data.language]).catch(() => undefined)),
);
self.addEventListener("fetch", (event) => {
    const { request } = event;
    if (request.method !== "GET" || !request.url.startsWith(SCOPE)) return;
    const path = request.url.slice(SCOPE.length).replace(/[?#].*/, "");
    if (path === "api" || path.startsWith("api/")) return;
    if (request.mode === "navigate") event.respondWith(fromNetwork(request, SHELL));
    else if (path.startsWith("assets/")) event.respondWith(fromCache(request));
    else if (BUILD.files.includes(path)) event.respondWith(fromNetwork(request, path));
});

async function install() {
    try {
        await cacheBuild();
    } catch (error) {
        // Otherwise `activate` might keep this cache, and delete the one that open pages need.
        await caches.delete(CACHE);
        throw error;
    }
    // Do not wait for old pages to be closed. They find their scripts in the cache of their own build.
    await self.skipWaiting();
}

async function cacheBuild() {
    const cache = await caches.open(CACHE);
    const shell = await download(SHELL);
    // A deployment may be in progress. Never mix two builds.
    if (!(await shell.clone().text()).includes(`content="${BUILD.id}"`))
        throw new Error("The start page belongs to another build.");
    await Promise.all([cacheLanguages(await usedLanguages()), ...BUILD.files.map((file) => addFile(cache, file))]);
    await cache.put(addressOf(SHELL), shell);
}

async function activate() {
    const others = (await ownCaches()).filter((name) => name !== CACHE);
    await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
    await self.clients.claim();
}

/** The names of our caches, oldest first. */
async function ownCaches() {
    return (await caches.keys()).filter((name) => name.startsWith(PREFIX));
}

/** The languages in the caches of earlier builds. */
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

async function cacheLanguages(codes) {
    const cache = await caches.open(CACHE);
    const files = codes.flatMap((code) => BUILD.languages[code] ?? []);
    await Promise.all(files.map((file) => addFile(cache, file)));
}

async function addFile(cache, file) {
    const known = file.startsWith("assets/") ? await cached(addressOf(file)) : undefined;
    await cache.put(addressOf(file), known ?? (await download(file)));
}

async function download(file) {
    const response = await fetch(addressOf(file), { cache: "no-cache" });
    if (!response.ok) throw new Error(`cannot download ${file}: HTTP status ${response.status}`);
    return response;
}

/** A file from the newest of our caches that contains it. */
async function cached(address) {
    for (const name of (await ownCaches()).reverse()) {
        const found = await (await caches.open(name)).match(address, { ignoreVary: true });
        if (found) return found;
    }
    return undefined;
}

async function fromCache(request) {
    return (await cached(request.url)) ?? fetch(request);
}

/** The site's response, or the cached file if the site is unreachable, silent, or responds with a server error. */
async function fromNetwork(request, file) {
    const stored = await (await caches.open(CACHE)).match(addressOf(file), { ignoreVary: true });
    // Do not wait for each file of a page again. A navigation always tries the network.
    if (stored && request.mode !== "navigate" && Date.now() < silentUntil) return stored;
    const silence = new AbortController();
    const giveUp = () => {
        silentUntil = Date.now() + 10_000;
        silence.abort();
    };
    const timer = stored && setTimeout(giveUp, LONGEST_WAIT);
    try {
        // Always revalidate: if the host sends no expiry, browsers may treat an old page as fresh.
        const response = await fetch(request, { cache: "no-cache", signal: silence.signal });
        return response.status >= 500 ? (stored ?? response) : response;
    } catch (error) {
        if (!stored) throw error;
        return stored;
    } finally {
        // Once the response has begun, a slow connection may take longer for its content.
        clearTimeout(timer);
    }
}

function addressOf(file) {
    return new URL(file, SCOPE).href;
}
