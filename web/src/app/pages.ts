import type { Component } from "svelte";

import type { MessageKey } from "../lib/i18n";
import { isOnDevice } from "../lib/ids";
import type { PageName, PageProps, Route } from "../lib/router.svelte";

type Loaders = { [Name in PageName]: () => Promise<{ default: Component<PageProps<Name>> }> };

const peoplePages = () => import("./peoplePages");
const accountPages = () => import("./accountPages");

/** The loader for each page. Most pages are separate chunks; a chunk is fetched when one of its pages is opened. */
export const loaders: Loaders = {
    home: () => import("./home/HomePage.svelte"),
    new: () => import("./games/NewGamePage.svelte"),
    game: () => import("./play/PlayPage.svelte"),
    games: () => import("./games/GamesPage.svelte"),
    statistics: () => import("./games/StatisticsPage.svelte"),
    setup: () => import("./setup/SetupPage.svelte"),
    learn: () => import("./learn/LearnPage.svelte"),
    megaliths: () => import("./learn/MegalithsPage.svelte"),
    tutorial: () => import("./tutorial/TutorialPage.svelte"),
    settings: () => import("./settings/SettingsPage.svelte"),
    lobby: async () => ({ default: (await peoplePages()).LobbyPage }),
    join: async () => ({ default: (await peoplePages()).JoinPage }),
    player: async () => ({ default: (await peoplePages()).PlayerPage }),
    leaders: async () => ({ default: (await peoplePages()).LeadersPage }),
    account: async () => ({ default: (await accountPages()).AccountPage }),
    reset: async () => ({ default: (await accountPages()).ResetPage }),
    admin: async () => ({ default: (await accountPages()).AdminPage }),
    "not-found": () => import("./NotFoundPage.svelte"),
};

const NEED_SERVER: ReadonlySet<PageName> = new Set<PageName>([
    "lobby",
    "join",
    "player",
    "leaders",
    "account",
    "reset",
    "admin",
]);

/** Pages whose table fills the window and leaves no room for the footer. */
export const FULL_WINDOW: ReadonlySet<PageName> = new Set<PageName>(["game", "tutorial"]);

/** Whether a page is useless without a server. A game needs no server if it is on this device. */
export function needsServer(route: Route): boolean {
    return route.page === "game" ? !isOnDevice(route.id) : NEED_SERVER.has(route.page);
}

export const titles: Record<PageName, MessageKey> = {
    home: "common.title.home",
    new: "common.title.new",
    game: "common.title.game",
    games: "common.title.games",
    statistics: "games.stats.title",
    setup: "common.title.setup",
    learn: "common.title.learn",
    megaliths: "common.title.megaliths",
    tutorial: "common.title.tutorial",
    settings: "common.title.settings",
    lobby: "online.lobby.title",
    join: "online.join.title",
    player: "online.player.title",
    leaders: "online.leaders.title",
    account: "account.title",
    reset: "account.reset.title",
    admin: "account.admin.title",
    "not-found": "common.title.not-found",
};
