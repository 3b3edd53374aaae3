import "./app/theme.css";
import "./app/boardTheme.css";

import { mount } from "svelte";

import App from "./app/App.svelte";
import { loaders } from "./app/pages";
import { startLanguage } from "./lib/i18n";
import { reloadIfOutdated } from "./lib/outdated";
import { router, startRouter } from "./lib/router.svelte";
import { startSettings } from "./lib/settings.svelte";

const target = document.getElementById("app");
if (!target) throw new Error("index.html has no #app");

startSettings();
startRouter();

// Vite's event for every script that could not be fetched: a page, a language, a part of a page.
window.addEventListener("vite:preloadError", () => void reloadIfOutdated());

async function begin(place: HTMLElement): Promise<void> {
    // The page is fetched beside its language, and shown with the frame around it; the frame tells if that fails.
    const first = loaders[router.route.page]().catch(() => null);
    try {
        await startLanguage();
        mount(App, { target: place, props: { first: await first } });
    } catch (error) {
        console.error(error);
        // No language could be fetched, so this is said in the one that most people read.
        place.textContent = "Cairn could not be loaded. Please reload the page.";
    }
}

// Not awaited here: pages import from the same file as this, and would wait for it for ever.
void begin(target);
