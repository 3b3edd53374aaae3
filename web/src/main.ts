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
// The page is fetched beside its language; whether that fails is noticed when it is shown.
loaders[router.route.page]().catch(() => undefined);
try {
    await startLanguage();
    mount(App, { target });
} catch (error) {
    console.error(error);
    // No language could be fetched, so this is said in the one that most people read.
    target.textContent = "Cairn could not be loaded. Please reload the page.";
}
