/**
 * The visitor's running games and rematch offers, on the server and on this device. They are fetched when a page is
 * opened and, while an online game is running or has just ended, every few seconds.
 */
import { otherTribe } from "@cairn/board/position";
import { untrack } from "svelte";

import { attention } from "../../lib/attention.svelte";
import { accept, withdraw } from "../../lib/challenges";
import type { GameSummary } from "../../lib/client";
import { connection } from "../../lib/connection.svelte";
import { deviceGames } from "../../lib/games";
import { hasServer } from "../../lib/host";
import { t } from "../../lib/i18n";
import { isOnDevice } from "../../lib/ids";
import { dismiss, notify } from "../../lib/notices.svelte";
import { online, type ChallengeView } from "../../lib/online";
import { ownTribe } from "../../lib/people";
import { reportProblem } from "../../lib/problems";
import { navigate, router } from "../../lib/router.svelte";
import { sound } from "../../lib/sound";
import { localStore, readJson, writeJson } from "../../lib/storage";
import { seatText } from "../sentences/gameSummary";
import { displayName } from "../sentences/players";
import { gamesInBar, isOnline, isYourTurn, newTurns, noteOpened, openedGames } from "./running";

/** The polling intervals while something may happen, in milliseconds. */
const POLL = { visible: 8_000, hidden: 20_000 };
/** How long to keep polling for a rematch offer after an online game, in milliseconds. */
const AFTERWARDS = 15 * 60_000;
const STORE = "cairn.running";

export class RunningGames {
    #games = $state.raw<readonly GameSummary[]>(stored());
    #timer: ReturnType<typeof setTimeout> | undefined;
    /** When an online game was last seen running. */
    #lastOnline = -Infinity;
    /** The notices about rematch offers, by challenge. */
    readonly #offers = new Map<string, number>();
    #opened = $state.raw(openedGames());
    #fetching = false;
    #closed = false;
    /** The online games that have been seen running during this visit. */
    readonly #online = new Set<string>();

    /** The id of the game on the screen. */
    readonly #here: string | null = $derived(router.route.page === "game" ? router.route.id : null);
    /** The games to show. */
    readonly games: readonly GameSummary[] = $derived(gamesInBar(this.#games, this.#here, this.#opened, Date.now()));
    readonly #turns: number = $derived(this.games.filter((game) => isOnline(game) && isYourTurn(game)).length);

    /** Create this during component initialisation; it stops with the component. */
    constructor() {
        const onVisible = (): void => {
            if (!document.hidden) void this.refresh();
        };
        $effect(() => {
            void router.visits;
            void connection.lost;
            untrack(() => void this.refresh());
        });
        $effect(() => {
            if (!this.#here || isOnDevice(this.#here)) return;
            noteOpened(this.#here);
            this.#opened = openedGames();
        });
        $effect(() => attention.setElsewhere(this.#turns));
        $effect(() => {
            document.addEventListener("visibilitychange", onVisible);
            return () => {
                this.#closed = true;
                document.removeEventListener("visibilitychange", onVisible);
                clearTimeout(this.#timer);
                attention.setElsewhere(0);
            };
        });
    }

    async refresh(): Promise<void> {
        if (this.#fetching) return;
        this.#fetching = true;
        try {
            const [there, here] = await Promise.all([this.#onServer(), deviceGames().catch(() => null)]);
            if (this.#closed) return;
            // Games that cannot be read at the moment stay in the bar.
            const before = this.#games;
            const server = there?.games ?? before.filter(({ id }) => !isOnDevice(id));
            const device = here ?? before.filter(({ id }) => isOnDevice(id));
            this.#games = [...server, ...device.filter(({ outcome }) => outcome === null)];
            writeJson(localStore, STORE, this.games.slice(0, 4));
            if (!there) return;
            for (const { id } of server.filter(isOnline)) this.#online.add(id);
            if (server.some(isOnline)) this.#lastOnline = Date.now();
            for (const game of newTurns(before, this.#games)) if (game.id !== this.#here) this.#call(game);
            this.#showOffers(there.offers);
        } finally {
            this.#fetching = false;
            this.#schedule();
        }
    }

    async #onServer(): Promise<Awaited<ReturnType<typeof online.running>> | null> {
        if (!hasServer || connection.lost) return null;
        try {
            return await online.running();
        } catch {
            return null; // the connection banner reports a lost connection
        }
    }

    #schedule(): void {
        clearTimeout(this.#timer);
        if (this.#closed) return;
        // Treat the online game on this page as running, so that polling continues after it ends.
        if (this.#here && this.#online.has(this.#here)) this.#lastOnline = Date.now();
        if (!hasServer || Date.now() - this.#lastOnline > AFTERWARDS) return;
        this.#timer = setTimeout(() => void this.refresh(), document.hidden ? POLL.hidden : POLL.visible);
    }

    #call(game: GameSummary): void {
        const name = opponentIn(game);
        const go = { label: t("alerts.bar.go"), run: () => navigate(`/game/${game.id}`) };
        notify({ kind: "info", text: t("alerts.bar.called", { name }), action: go, stays: true }, 30);
        sound("turn");
    }

    /** Show rematch offers until they are answered or withdrawn. The page of the finished game shows its own. */
    #showOffers(offers: readonly ChallengeView[]): void {
        const shown = offers.filter((offer) => !offer.yours && offer.rematch_of !== this.#here);
        for (const [id, notice] of this.#offers) {
            if (shown.some((offer) => offer.id === id)) continue;
            dismiss(notice);
            this.#offers.delete(id);
        }
        for (const offer of shown) {
            if (this.#offers.has(offer.id)) continue;
            this.#offers.set(offer.id, this.#showOffer(offer));
            sound("offer");
        }
    }

    #showOffer(offer: ChallengeView): number {
        const text = t("alerts.rematch", { name: displayName(offer.creator) });
        const play = async (): Promise<void> => navigate(`/game/${await accept(offer, null)}`);
        return notify(
            {
                kind: "info",
                text,
                action: { label: t("online.offer.accept"), run: () => void play().catch(reportProblem) },
                second: {
                    label: t("online.offer.decline"),
                    run: () => void withdraw(offer.id).catch(reportProblem),
                },
                stays: true,
            },
            0,
        );
    }
}

/** The name of the visitor's opponent. */
export function opponentIn(game: GameSummary): string {
    return seatText(game.seats, otherTribe(ownTribe(game) ?? "forest"), game.you);
}

/** The games shown on the last visit, so that the bar can appear at once. */
function stored(): readonly GameSummary[] {
    const found = readJson(localStore, STORE);
    return Array.isArray(found) ? (found as GameSummary[]) : [];
}
