import "./app/theme.css";

import { mount } from "svelte";

import App from "./app/App.svelte";
import { loaders } from "./app/pages";
import { startLanguage } from "./lib/i18n";
import { router, startRouter } from "./lib/router.svelte";
import { startSettings } from "./lib/settings.svelte";

const target = document.getElementById("app");
if (!target) throw new Error("index.html has no #app");

startSettings();
startRouter();

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
