import type { Component } from "svelte";

import type { MessageKey } from "../lib/i18n";
import type { PageName, PageProps } from "../lib/router.svelte";

type Loaders = { [Name in PageName]: () => Promise<{ default: Component<PageProps<Name>> }> };

const peoplePages = () => import("./peoplePages");
const accountPages = () => import("./accountPages");

/** The loader of each page. Most pages are separate chunks; a chunk is fetched when one of its pages is opened. */
export const loaders: Loaders = {
    home: () => import("./home/HomePage.svelte"),
    new: () => import("./games/NewGamePage.svelte"),
    game: () => import("./play/PlayPage.svelte"),
    games: () => import("./games/GamesPage.svelte"),
    setup: () => import("./setup/SetupPage.svelte"),
    learn: () => import("./learn/LearnPage.svelte"),
    megaliths: () => import("./learn/MegalithsPage.svelte"),
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

/** The pages that show nothing useful without a server. */
export const NEEDS_SERVER: ReadonlySet<PageName> = new Set<PageName>([
    "new",
    "game",
    "games",
    "setup",
    "lobby",
    "join",
    "player",
    "leaders",
    "account",
    "reset",
    "admin",
]);

export const titles: Record<PageName, MessageKey> = {
    home: "common.title.home",
    new: "common.title.new",
    game: "common.title.game",
    games: "common.title.games",
    setup: "common.title.setup",
    learn: "common.title.learn",
    megaliths: "common.title.megaliths",
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
