/**
 * Runs a game on this device. The core decides each change, the change is stored in the log, and then it is shown.
 * Changes are made one at a time: each is stored before the core decides the next.
 */
import type { Refused } from "../../../core/core";
import type { Changed, GameHeader } from "../../../core/localGame";
import { startSearch, type Search } from "../../../core/searchClient";
import { ApiProblem, updated, type GameView } from "../client";
import { backOff } from "../connection.svelte";
import type { TokenToPlay } from "../source/source";
import { accepted, startCore, type DeviceCore } from "./core";
import { recordText, rowOf } from "./library";
import { deviceStore, type GameStore } from "./store";
import { Tabs } from "./tabs";

/** The longest time that a level thinks, in milliseconds. After that, it plays the best token found so far. */
const LONGEST_THINKING = 2_000;

/** `unkept`: this tab plays the game, but the game is only in memory. */
export type Role = "writing" | "following" | "unkept";

export interface TableHandlers {
    game: (game: GameView) => void;
    role: (role: Role) => void;
    /** The game can no longer be shown. */
    gone: (problem: ApiProblem) => void;
    /** Something failed that the page did not request, such as storing the computer's token. */
    failed: (problem: unknown) => void;
}

export class DeviceTable {
    readonly #core: DeviceCore;
    readonly #store: GameStore;
    readonly #header: GameHeader;
    readonly #handlers: TableHandlers;
    readonly #tabs: Tabs;
    #view: GameView;
    /** `null` until the browser has reported whether another tab writes. */
    #role: Role | null = null;
    #decided: () => void = () => undefined;
    readonly #roleDecided = new Promise<void>((resolve) => (this.#decided = resolve));
    #search: Search | null = null;
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
            throw problem;
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
            changed: () => void this.refresh(),
        });
    }

    play({ id, token, tribe, revision, hold }: TokenToPlay): Promise<void> {
        return this.#change(() => this.#core.client.call("play", { id, token, tribe, revision, hold }));
    }

    undo(revision: number, scope: "step" | "turn"): Promise<void> {
        return this.#change(() => this.#core.client.call("undo", { scope, revision }));
    }

    confirm(revision: number): Promise<void> {
        return this.#change(() => this.#core.client.call("confirm", { revision }));
    }

    /** The record of the game as shown here, even if it is no longer in the store. */
    record(): Promise<string> {
        return this.#next(async () => recordText(await this.#core.client.call("record")));
    }

    /** Read the entries that other tabs have stored. */
    refresh(): Promise<void> {
        return this.#next(() => this.#catchUp());
    }

    takeOver(): void {
        this.#tabs.takeOver();
    }

    close(): void {
        this.#closed = true;
        this.#search?.stop();
        this.#tabs.close();
        this.#core.client.close();
    }

    /** Run a task when all earlier tasks have finished. */
    #next<Result>(task: () => Promise<Result>): Promise<Result> {
        const ran = this.#queue.then(task);
        this.#queue = ran.catch(() => undefined);
        return ran;
    }

    async #change(decide: () => Promise<Changed | Refused>): Promise<void> {
        await this.#roleDecided;
        await this.#next(async () => {
            if (this.#role === "following") throw new ApiProblem("other-tab", "Another tab plays this game.", 409);
            await this.#commit(accepted(await decide()));
        });
    }

    /** Store a change, then show it. */
    async #commit({ entries, update, waitsForComputer }: Changed): Promise<void> {
        const view = updated(this.#view, update, Date.now()) ?? (await this.#core.client.call("view"));
        if (entries.length > 0) {
            try {
                await this.#store.append(rowOf(this.#header, view), entries);
            } catch (problem) {
                await this.#core.client.call("revert");
                if (problem instanceof ApiProblem && problem.kind === "stale-revision") await this.#catchUp();
                throw problem;
            }
            this.#tabs.announce();
        }
        this.#show(view, waitsForComputer);
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
            const { entries } = await this.#store.read(this.#header.id, this.#view.revision);
            if (entries.length === 0) return;
            const { client } = this.#core;
            const { update, waitsForComputer } = accepted(await client.call("follow", entries));
            this.#show(updated(this.#view, update, Date.now()) ?? (await client.call("view")), waitsForComputer);
        } catch (problem) {
            if (!(problem instanceof ApiProblem) || this.#closed) throw problem;
            this.#handlers.gone(problem);
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
            void this.#think(await this.#core.client.call("waitsForComputer"));
        }).catch((problem: unknown) => this.#handlers.failed(problem));
    }

    /** If `level` has to decide and this tab writes, let it decide. An earlier search is stopped. */
    async #think(level: number | null): Promise<void> {
        this.#search?.stop();
        this.#search = null;
        if (level === null || this.#role === null || this.#role === "following" || this.#closed) return;
        const { revision } = this.#view;
        const line = await this.#core.client.call("line");
        if (this.#closed || this.#view.revision !== revision) return;
        const search = startSearch(this.#core.module, line, { kind: "level", level, seed: newSeed() });
        this.#search = search;
        const timer = setTimeout(() => search.stop(), LONGEST_THINKING);
        const state = await search.result.finally(() => clearTimeout(timer));
        const token = state?.lines[0]?.tokens[0];
        for (let attempt = 0; token !== undefined && this.#search === search; attempt++) {
            if (await this.#playFor(token, revision, attempt)) return;
            await new Promise((resolve) => setTimeout(resolve, backOff(attempt)));
        }
    }

    /** Play the computer's token. Returns false if the caller should try again. */
    async #playFor(token: string, revision: number, attempt: number): Promise<boolean> {
        try {
            await this.#change(() => this.#core.client.call("computerPlayed", { token, revision }));
            return true;
        } catch (problem) {
            // A refusal means that the game has changed in the meantime, for instance by an undo.
            if (this.#closed || (problem instanceof ApiProblem && problem.isRefusal)) return true;
            if (attempt === 0) this.#handlers.failed(problem);
            return false;
        }
    }
}

/** 64 random bits. */
function newSeed(): bigint {
    const [seed = 0n] = crypto.getRandomValues(new BigUint64Array(1));
    return seed;
}
