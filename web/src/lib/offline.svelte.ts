/** The service worker (public/sw.js), which keeps the pages on the device so that they open without a connection. */
import { build, fileAddress } from "./host";
import { language } from "./i18n";
import { checkForUpdate } from "./updates.svelte";

/** Register the service worker, and tell it which languages to keep. Call once. */
export function startOffline(): void {
    // Browsers offer service workers only over https and on this machine.
    const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker;
    if (build === null || !workers) return;
    let isFirst = !workers.controller;
    workers.addEventListener("controllerchange", () => {
        keepLanguage();
        // A worker that replaces another one belongs to a new build.
        if (!isFirst) void checkForUpdate();
        isFirst = false;
    });
    const register = (): void => {
        workers.register(fileAddress("sw.js"), { updateViaCache: "none" }).catch((error: unknown) => {
            console.info("Cairn will not work offline.", error);
        });
    };
    // What the page itself needs comes first.
    if (document.readyState === "complete") register();
    else window.addEventListener("load", register, { once: true });
    $effect.root(() => {
        $effect(keepLanguage);
    });
}

/** Ask the service worker to keep the current language. */
function keepLanguage(): void {
    const shown = language();
    void navigator.serviceWorker.ready.then(({ active }) => active?.postMessage({ language: shown }));
}
