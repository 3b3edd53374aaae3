/**
 * Runs a game on this device. The core computes each change, which is stored in the log and then shown. Changes are
 * made one at a time: each is stored before the core computes the next.
 */
import type { Refused } from "../../../core/core";
import type { GameClient } from "../../../core/gameClient";
import type { Changed, GameHeader } from "../../../core/localGame";
import { startSearch } from "../../../core/searchClient";
import { ApiProblem, updated, type GameView } from "../client";
import { backOff } from "../connection.svelte";
import type { TokenToPlay } from "../source/source";
import { accepted, problemOf, restartCore, startCore, type DeviceCore } from "./core";
import { recordText, rowOf } from "./library";
import { deviceStore, type GameStore } from "./store";
import { Tabs } from "./tabs";

/** The maximum thinking time of a level, in milliseconds. After that, it plays the best token found so far. */
const LONGEST_THINKING = 2_000;

/** `unkept`: this tab is playing the game, but the game is only in memory. */
export type Role = "writing" | "following" | "unkept";

export interface TableHandlers {
    game: (game: GameView) => void;
    role: (role: Role) => void;
    /** The game can no longer be shown. */
    gone: (problem: ApiProblem) => void;
    /** An action that the page had not requested failed, such as storing the computer's token. */
    failed: (problem: unknown) => void;
}

export class DeviceTable {
    #core: DeviceCore;
    readonly #store: GameStore;
    readonly #header: GameHeader;
    readonly #handlers: TableHandlers;
    readonly #tabs: Tabs;
    #view: GameView;
    /** `null` until the browser has reported whether another tab is writing. */
    #role: Role | null = null;
    #decided: () => void = () => undefined;
    readonly #roleDecided = new Promise<void>((resolve) => (this.#decided = resolve));
    /** Cancels the computer's decision. */
    #thinking = new AbortController();
    #queue: Promise<unknown> = Promise.resolve();
    #closed = false;

    /** Open a stored game. Rejects if it does not exist or cannot be replayed. */
    static async open(id: string, handlers: TableHandlers): Promise<DeviceTable> {
        const store = await deviceStore();
        const { game, entries } = await store.read(id);
        const core = await startCore();
        try {
            const { view } = accepted(await core.client.call("open", { header: game.header, entries }));
            return new DeviceTable(core, store, game.header, view, handlers);
        } catch (problem) {
            core.client.close();
            throw problemOf(problem);
        }
    }

    private constructor(
        core: DeviceCore,
        store: GameStore,
        header: GameHeader,
        view: GameView,
        handlers: TableHandlers,
    ) {
        this.#core = core;
        this.#store = store;
        this.#header = header;
        this.#view = view;
        this.#handlers = handlers;
        this.#handlers.game(view);
        this.#tabs = new Tabs(header.id, {
            writing: () => void this.#setRole(store.isKept ? "writing" : "unkept"),
            following: () => void this.#setRole("following"),
            changed: () => void this.refresh().catch(handlers.failed),
        });
    }

    play({ id, token, tribe, revision, hold }: TokenToPlay): Promise<void> {
        return this.#change((client) => client.call("play", { id, token, tribe, revision, hold }));
    }

    undo(revision: number, scope: "step" | "turn"): Promise<void> {
        return this.#change((client) => client.call("undo", { scope, revision }));
    }

    confirm(revision: number): Promise<void> {
        return this.#change((client) => client.call("confirm", { revision }));
    }

    /** The record of the game as shown here, even if it is no longer in the store. */
    record(): Promise<string> {
        return this.#next(async () => recordText(await this.#ask((client) => client.call("record"))));
    }

    /** Read the entries that other tabs have stored. */
    refresh(): Promise<void> {
        return this.#next(() => this.#catchUp());
    }

    takeOver(): void {
        this.#tabs.takeOver();
    }

    /** Close the game. A change that is being stored is finished and announced first. */
    close(): void {
        this.#closed = true;
        this.#thinking.abort();
        void this.#next(async () => {
            this.#tabs.close();
            this.#core.client.close();
        });
    }

    /** Run a task when all earlier tasks have finished. */
    #next<Result>(task: () => Promise<Result>): Promise<Result> {
        const ran = this.#queue.then(task);
        this.#queue = ran.catch(() => undefined);
        return ran;
    }

    /**
     * Use the core in a queued task. If the core fails, for instance with a WebAssembly trap, a new core opens the
     * stored game, and `use` runs a second time. `use` must not store anything.
     */
    async #ask<Result>(use: (client: GameClient) => Promise<Result>): Promise<Result> {
        try {
            return await use(this.#core.client);
        } catch (error) {
            if (!this.#core.client.isClosed || this.#closed) throw error;
            console.error("The core failed and is being restarted.", error);
        }
        await this.#restart();
        return use(this.#core.client);
    }

    /** Replace the core with a new one that has opened the stored game. */
    async #restart(): Promise<void> {
        this.#core.client.close();
        const { entries } = await this.#store.read(this.#header.id);
        this.#core = restartCore(this.#core);
        const game = { header: this.#header, entries };
        const { view, waitsForComputer } = accepted(await this.#core.client.call("open", game));
        if (view.revision !== this.#view.revision) this.#show(view, waitsForComputer);
    }

    async #change(decide: (client: GameClient) => Promise<Changed | Refused>): Promise<void> {
        await this.#roleDecided;
        await this.#next(async () => {
            if (this.#role === "following") throw new ApiProblem("other-tab", "Another tab is playing this game.", 409);
            const [changed, view] = await this.#ask(async (client) => {
                const changed = accepted(await decide(client));
                return [changed, await this.#viewAfter(changed, client)];
            });
            await this.#commit(changed, view);
        });
    }

    /** The view after a change that the core has made. */
    async #viewAfter({ update }: Changed, client: GameClient): Promise<GameView> {
        return updated(this.#view, update, Date.now()) ?? client.call("view");
    }

    /** Store a change, then show it. */
    async #commit({ entries, waitsForComputer }: Changed, view: GameView): Promise<void> {
        if (entries.length > 0) {
            try {
                await this.#store.append(rowOf(this.#header, view), entries);
            } catch (problem) {
                await this.#revert();
                if (problem instanceof ApiProblem && problem.kind === "stale-revision") await this.#catchUp();
                throw problem;
            }
            this.#tabs.announce();
        }
        this.#show(view, waitsForComputer);
    }

    /** Undo a change in the core that could not be stored. */
    async #revert(): Promise<void> {
        try {
            await this.#core.client.call("revert");
        } catch (error) {
            // The next task starts a new core, which opens the stored game without the change.
            console.error("The core could not revert a change.", error);
        }
    }

    #show(view: GameView, level: number | null): void {
        if (this.#closed) return;
        this.#view = view;
        this.#handlers.game(view);
        void this.#think(level);
    }

    /** Apply the entries that another tab has stored since our revision. */
    async #catchUp(): Promise<void> {
        if (this.#closed) return;
        try {
            await this.#ask(async (client) => {
                const { entries } = await this.#store.read(this.#header.id, this.#view.revision);
                if (entries.length === 0) return;
                const changed = accepted(await client.call("follow", entries));
                this.#show(await this.#viewAfter(changed, client), changed.waitsForComputer);
            });
        } catch (problem) {
            if (this.#closed) return;
            if (!(problem instanceof ApiProblem)) throw problem;
            // If the browser cannot read the game at the moment, this tab continues to show it.
            if (problem.kind === "device-unreadable") this.#handlers.failed(problem);
            else this.#handlers.gone(problem);
        }
    }

    async #setRole(role: Role): Promise<void> {
        await this.#next(async () => {
            // The tab that was writing until now may have stored further entries.
            await this.#catchUp();
            if (this.#closed) return;
            this.#role = role;
            this.#decided();
            this.#handlers.role(role);
            void this.#think(await this.#ask((client) => client.call("waitsForComputer")));
        }).catch((problem: unknown) => this.#handlers.failed(problem));
    }

    /** Cancel the current search. If `level` has to decide and this tab is writing, let the level decide. */
    async #think(level: number | null): Promise<void> {
        this.#thinking.abort();
        if (level === null || this.#role === null || this.#role === "following" || this.#closed) return;
        this.#thinking = new AbortController();
        const { signal } = this.#thinking;
        const { revision } = this.#view;
        const token = await this.#retry(signal, () => this.#search(level, signal));
        if (token === undefined) return;
        await this.#retry(signal, () => this.#change((client) => client.call("computerPlayed", { token, revision })));
    }

    /** The token that a level plays now. Do not use the token if `signal` has cancelled the search. */
    async #search(level: number, signal: AbortSignal): Promise<string | undefined> {
        const line = await this.#next(() => this.#ask((client) => client.call("line")));
        if (signal.aborted) return undefined;
        const search = startSearch(this.#core.module, line, { kind: "level", level, seed: newSeed() });
        const timer = setTimeout(() => search.stop(), LONGEST_THINKING);
        signal.addEventListener("abort", () => search.stop());
        const state = await search.result.finally(() => clearTimeout(timer));
        return state?.lines[0]?.tokens[0];
    }

    /** Repeat one of the computer's tasks until it succeeds or is cancelled. Only the first failure is reported. */
    async #retry<Result>(signal: AbortSignal, task: () => Promise<Result>): Promise<Result | undefined> {
        for (let attempt = 0; !signal.aborted; attempt++) {
            try {
                return await task();
            } catch (problem) {
                // A refusal means that the game has changed in the meantime, for instance because of an undo.
                if (signal.aborted || (problem instanceof ApiProblem && problem.isRefusal)) return undefined;
                if (attempt === 0) this.#handlers.failed(problemOf(problem));
            }
            await new Promise((resolve) => setTimeout(resolve, backOff(attempt)));
        }
        return undefined;
    }
}

/** 64 random bits. */
function newSeed(): bigint {
    const [seed = 0n] = crypto.getRandomValues(new BigUint64Array(1));
    return seed;
}
