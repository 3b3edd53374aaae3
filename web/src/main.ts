import "../fonts/fonts.css";
import "./app/theme.css";
import "./app/boardTheme.css";

import { mount } from "svelte";

import App from "./app/App.svelte";
import { loaders } from "./app/pages";
import { loadFonts, waitForFonts } from "./lib/fonts";
import { language, startLanguage } from "./lib/i18n";
import { startOffline } from "./lib/offline.svelte";
import { router, startRouter } from "./lib/router.svelte";
import { startSettings } from "./lib/settings.svelte";
import { startUpdates } from "./lib/updates.svelte";

const target = document.getElementById("app");
if (!target) throw new Error("index.html has no #app");

startSettings();
startRouter();
startUpdates();

async function begin(place: HTMLElement): Promise<void> {
    // Load the page and its language in parallel. If the page fails to load, App reports that.
    const started = startLanguage();
    const first = loaders[router.route.page]().catch(() => null);
    try {
        await started;
        const fonts = loadFonts(language());
        const props = { first: await first };
        await waitForFonts(fonts);
        mount(App, { target: place, props });
        startOffline();
    } catch (error) {
        console.error(error);
        // No language could be loaded, so fall back to an English sentence.
        place.textContent = "Cairn could not be loaded. Please reload the page.";
    }
}

// Do not use a top-level await: the pages import from this chunk and would wait for it forever.
void begin(target);
