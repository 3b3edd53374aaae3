import type { Component } from "svelte";

import type { MessageKey } from "../lib/i18n";
import type { PageName, Route } from "../lib/router.svelte";

/** What a page is given: what its address says. */
export type PageProps<Name extends PageName> = Omit<Extract<Route, { page: Name }>, "page">;

type Loaders = { [Name in PageName]: () => Promise<{ default: Component<PageProps<Name>> }> };

/** Every page is a chunk of its own, fetched when it is gone to. */
export const loaders: Loaders = {
    home: () => import("./home/HomePage.svelte"),
    new: () => import("./games/NewGamePage.svelte"),
    game: () => import("./play/PlayPage.svelte"),
    games: () => import("./games/GamesPage.svelte"),
    setup: () => import("./setup/SetupPage.svelte"),
    learn: () => import("./learn/LearnPage.svelte"),
    megaliths: () => import("./learn/MegalithsPage.svelte"),
    settings: () => import("./settings/SettingsPage.svelte"),
    "not-found": () => import("./NotFoundPage.svelte"),
};

export const titles: Record<PageName, MessageKey> = {
    home: "common.title.home",
    new: "common.title.new",
    game: "common.title.game",
    games: "common.title.games",
    setup: "common.title.setup",
    learn: "common.title.learn",
    megaliths: "common.title.megaliths",
    settings: "common.title.settings",
    "not-found": "common.title.not-found",
};
