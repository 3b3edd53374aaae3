/** Registers the service worker (public/sw.js), which caches the pages so that they open without a connection. */
import { build, fileAddress } from "./host";
import { language } from "./i18n";
import { checkForUpdate } from "./updates.svelte";

/** Register the service worker and tell it which language to cache. Call once. */
export function startOffline(): void {
    // Browsers offer service workers only over HTTPS and on localhost.
    const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker;
    if (build === null || !workers) return;
    let isFirst = !workers.controller;
    workers.addEventListener("controllerchange", () => {
        cacheLanguage();
        // A worker that replaces another worker belongs to a new build.
        if (!isFirst) void checkForUpdate();
        isFirst = false;
    });
    const register = (): void => {
        workers.register(fileAddress("sw.js"), { updateViaCache: "none" }).catch((error: unknown) => {
            console.info("Cairn will not work offline.", error);
        });
    };
    // Let the page load first.
    if (document.readyState === "complete") register();
    else window.addEventListener("load", register, { once: true });
    $effect.root(() => {
        $effect(cacheLanguage);
    });
}

/** Ask the service worker to cache the current language. */
function cacheLanguage(): void {
    const shown = language();
    void navigator.serviceWorker.ready.then(({ active }) => active?.postMessage({ language: shown }));
}
