import type { Component } from "svelte";

import type { MessageKey } from "../lib/i18n";
import type { PageName, PageProps } from "../lib/router.svelte";

type Loaders = { [Name in PageName]: () => Promise<{ default: Component<PageProps<Name>> }> };

/** What is about other people is one chunk: small pages that share much, and weigh less together. */
const withOthers = () => import("./online/parts");

/** Every other page is a chunk of its own, fetched when it is gone to. */
export const loaders: Loaders = {
    home: () => import("./home/HomePage.svelte"),
    new: () => import("./games/NewGamePage.svelte"),
    game: () => import("./play/PlayPage.svelte"),
    games: () => import("./games/GamesPage.svelte"),
    setup: () => import("./setup/SetupPage.svelte"),
    learn: () => import("./learn/LearnPage.svelte"),
    megaliths: () => import("./learn/MegalithsPage.svelte"),
    settings: () => import("./settings/SettingsPage.svelte"),
    lobby: async () => ({ default: (await withOthers()).LobbyPage }),
    join: async () => ({ default: (await withOthers()).JoinPage }),
    player: async () => ({ default: (await withOthers()).PlayerPage }),
    leaders: async () => ({ default: (await withOthers()).LeadersPage }),
    account: async () => ({ default: (await withOthers()).AccountPage }),
    reset: async () => ({ default: (await withOthers()).ResetPage }),
    admin: async () => ({ default: (await withOthers()).AdminPage }),
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
    lobby: "online.lobby.title",
    join: "online.join.title",
    player: "online.player.title",
    leaders: "online.leaders.title",
    account: "account.title",
    reset: "account.reset.title",
    admin: "account.admin.title",
    "not-found": "common.title.not-found",
};
