import type { Component } from "svelte";

import { withMessages, type MessageKey } from "../lib/i18n";
import { isOnDevice } from "../lib/ids";
import { router, type PageName, type PageProps, type Route } from "../lib/router.svelte";
import { loadSource } from "../lib/source";
import analysisMessages from "./analysis/AnalysisPage.svelte?messages";
import accountMessages from "./accountPages?messages";
import performanceMessages from "./explorer/PerformancePage.svelte?messages";
import gamesMessages from "./games/GamesPage.svelte?messages";
import newGameMessages from "./games/NewGamePage.svelte?messages";
import statisticsMessages from "./games/StatisticsPage.svelte?messages";
import homeMessages from "./home/HomePage.svelte?messages";
import learnMessages from "./learn/LearnPage.svelte?messages";
import megalithsMessages from "./learn/MegalithsPage.svelte?messages";
import peopleMessages from "./peoplePages?messages";
import mistakesMessages from "./mistakes/MistakesPage.svelte?messages";
import playMessages from "./play/PlayPage.svelte?messages";
import puzzleMessages from "./puzzlePages?messages";
import reviewMessages from "./review/ReviewPage.svelte?messages";
import settingsMessages from "./settings/SettingsPage.svelte?messages";
import setupMessages from "./setup/SetupPage.svelte?messages";
import tutorialMessages from "./tutorial/TutorialPage.svelte?messages";

type Loaders = { [Name in PageName]: () => Promise<{ default: Component<PageProps<Name>> }> };

/** Loads the play page and, in parallel, the code for the source of the game in the URL, if there is one. */
const playPage = async () => {
    const { route } = router;
    const source = loadSource(route.page === "game" ? route.id : undefined);
    const [page] = await Promise.all([import("./play/PlayPage.svelte"), source]);
    return page;
};
const reviewPage = async () => {
    const { route } = router;
    const source = loadSource(route.page === "review" ? route.id : undefined);
    const [page] = await Promise.all([import("./review/ReviewPage.svelte"), source]);
    return page;
};
const peoplePages = () => withMessages(peopleMessages, () => import("./peoplePages"));
const puzzlePages = () => withMessages(puzzleMessages, () => import("./puzzlePages"));
const accountPages = () => withMessages(accountMessages, () => import("./accountPages"));

/**
 * The loader for each page. Most pages are separate chunks; a chunk is fetched when one of its pages is opened, together
 * with its messages. A page without messages of its own uses those of the entry.
 */
export const loaders: Loaders = {
    home: () => withMessages(homeMessages, () => import("./home/HomePage.svelte")),
    new: () => withMessages(newGameMessages, () => import("./games/NewGamePage.svelte")),
    game: () => withMessages(playMessages, playPage),
    games: () => withMessages(gamesMessages, () => import("./games/GamesPage.svelte")),
    statistics: () => withMessages(statisticsMessages, () => import("./games/StatisticsPage.svelte")),
    setup: () => withMessages(setupMessages, () => import("./setup/SetupPage.svelte")),
    analysis: () => withMessages(analysisMessages, () => import("./analysis/AnalysisPage.svelte")),
    learn: () => withMessages(learnMessages, () => import("./learn/LearnPage.svelte")),
    megaliths: () => withMessages(megalithsMessages, () => import("./learn/MegalithsPage.svelte")),
    performance: () => withMessages(performanceMessages, () => import("./explorer/PerformancePage.svelte")),
    tutorial: () => withMessages(tutorialMessages, () => import("./tutorial/TutorialPage.svelte")),
    puzzles: async () => ({ default: (await puzzlePages()).PuzzlesPage }),
    puzzle: async () => ({ default: (await puzzlePages()).PuzzlePage }),
    mistakes: () => withMessages(mistakesMessages, () => import("./mistakes/MistakesPage.svelte")),
    review: () => withMessages(reviewMessages, reviewPage),
    settings: () => withMessages(settingsMessages, () => import("./settings/SettingsPage.svelte")),
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
export const FULL_WINDOW: ReadonlySet<PageName> = new Set<PageName>(["game", "tutorial", "puzzle"]);

/** Whether a page is useless without a server. A game needs no server if it is on this device. */
export function needsServer(route: Route): boolean {
    return route.page === "game" || route.page === "review" ? !isOnDevice(route.id) : NEED_SERVER.has(route.page);
}

export const titles: Record<PageName, MessageKey> = {
    home: "common.title.home",
    new: "common.title.new",
    game: "common.title.game",
    games: "common.title.games",
    statistics: "games.stats.title",
    setup: "common.title.setup",
    analysis: "study.title",
    learn: "common.title.learn",
    megaliths: "common.title.megaliths",
    performance: "explorer.performance.title",
    tutorial: "common.title.tutorial",
    puzzles: "puzzles.title",
    puzzle: "puzzles.title",
    mistakes: "mistakes.title",
    review: "review.title",
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
