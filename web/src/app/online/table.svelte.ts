/**
 * What a table on the server has beside the game itself: who sits there, what is said, offers, the server's clock, and
 * the way of our commands. Local games have none of it and go by HTTP as ever.
 */
import { api, ApiProblem, json, send, type GameView, type TribeName, type Update } from "../../lib/client";
import { online, type ChatLine, type PhraseName, type Players, type TableMessage } from "../../lib/online";
import { seatOf } from "../../lib/seats";
import { watchGame, type GameSocketHandlers, type Link } from "../../lib/socket";
import type { GameStore, Server } from "../play/gameStore.svelte";
import { ServerTime } from "./clock";
import { Commands, type Command, type Done } from "./commands";

const PING = 10_000;
/** How long an update may come after the answer to what caused it. */
const AFTER = 1_500;
/** Where commands go by HTTP. */
const PLACES: Readonly<Record<string, string>> = { play: "tokens" };
const MUTED = "cairn.muted";

export class OnlineTable {
    readonly id: string;
    readonly time = new ServerTime();
    readonly #commands: Commands;
    #store: GameStore | null = null;
    #link: Link | null = null;
    #pinging: ReturnType<typeof setInterval> | undefined;
    #greeted = false;

    /** Who is at the table; `null` before it was told. */
    presence = $state.raw<{ forest: boolean; sea: boolean; watchers: number | null } | null>(null);
    lines = $state.raw<readonly ChatLine[]>([]);
    /** How many lines have been read. */
    read = $state(0);
    /** An offer of another game. */
    rematch = $state.raw<{ challenge: string; by: TribeName } | null>(null);
    /** The way to the server and back, in milliseconds. */
    lag = $state<number | null>(null);
    /** Players whose words are not shown in this browser. */
    muted = $state.raw<readonly string[]>(loadMuted());
    /** Since when a player is away, by our clock. */
    away = $state.raw<Partial<Record<TribeName, number>>>({});

    /** What is to be read. */
    readonly heard: readonly ChatLine[] = $derived(this.lines.filter((line) => !this.muted.includes(line.by.id)));
    readonly unread: number = $derived(Math.max(0, this.heard.length - this.read));

    constructor(id: string) {
        this.id = id;
        this.#commands = new Commands({
            byHttp: (command) => this.#byHttp(command),
            onAnswer: (done, sent) => {
                if (done.at === undefined) return; // an update: it waited for the disk, too
                this.time.learn(sent, Date.now(), done.at);
                this.lag = this.time.lag;
            },
        });
    }

    get #token(): string | null {
        return seatOf(this.id)?.token ?? null;
    }

    get #game(): GameView | null {
        return this.#store?.game ?? null;
    }

    get #isOnline(): boolean {
        return this.#game?.kind === "online";
    }

    /** The game that the table belongs to. */
    serve(store: GameStore): void {
        this.#store = store;
    }

    stop(): void {
        clearInterval(this.#pinging);
        this.#commands.stop();
    }

    /** Whether a player is at the table. */
    isHere(tribe: TribeName, players: Players): boolean {
        return this.presence?.[tribe] ?? players[tribe].online;
    }

    /** How the game is watched: as ever, and with what else is said at the table. */
    readonly watch = (id: string, handlers: GameSocketHandlers): (() => void) =>
        watchGame(id, {
            ...handlers,
            state: (state) => {
                if (state !== "open") this.#disconnected();
                handlers.state?.(state);
            },
            game: (game) => {
                if (game.players) this.#attend(game.players.forest.online, game.players.sea.online);
                handlers.game(game);
            },
            opened: (link) => this.#connected(link),
            message: (message) => this.#hear(message),
        });

    /** What the store asks of the server. */
    readonly server: Server = {
        game: (id) => json<GameView>("GET", `/games/${encodeURIComponent(id)}`, undefined, this.#token),
        play: (id, play) => (this.#isOnline ? this.#play({ type: "play", ...play }) : api.play(id, play)),
        undo: (id, revision, scope) =>
            this.#isOnline ? this.#do({ type: "undo", revision, scope }) : api.undo(id, revision, scope),
        confirm: (id, revision) =>
            this.#isOnline ? this.#do({ type: "confirm", revision, lag: this.#way }) : api.confirm(id, revision),
    };

    // What players ask of each other

    offer(what: "draw" | "takeback", scope: "step" | "turn" = "turn"): Promise<null> {
        return this.#do({ type: "offer", what, scope, revision: this.#revision });
    }

    answer(answer: "accept" | "decline" | "withdraw"): Promise<null> {
        return this.#do({ type: "answer", answer, revision: this.#revision });
    }

    resign(): Promise<null> {
        return this.#do({ type: "resign" });
    }

    claim(): Promise<null> {
        return this.#do({ type: "claim" });
    }

    async say(words: { text: string } | { phrase: PhraseName }): Promise<void> {
        await this.#commands.do({ type: "chat", ...words });
    }

    mute(player: string, muted: boolean): void {
        const others = this.muted.filter((each) => each !== player);
        this.muted = muted ? [...others, player] : others;
        try {
            localStorage.setItem(MUTED, JSON.stringify(this.muted.slice(-200)));
        } catch {
            // Then it holds until the page is left.
        }
    }

    async report(about: TribeName | null, text: string): Promise<void> {
        await online.report(this.id, about, text, this.#token);
    }

    // The way of a command

    get #revision(): number {
        return this.#game?.revision ?? 0;
    }

    /** What the server is told of the way there and back: it is not the player's time. */
    get #way(): number {
        return Math.min(60_000, this.lag ?? 0);
    }

    /** Do it, and wait until the game shows it. */
    async #do(command: Command): Promise<null> {
        const { revision } = await this.#commands.do(command);
        const store = this.#store;
        const deadline = Date.now() + AFTER;
        while (store && revision !== null && this.#revision < revision) {
            if (Date.now() > deadline) {
                await store.resynchronise();
                break;
            }
            await new Promise((resolve) => setTimeout(resolve, 15));
        }
        return null;
    }

    /** A token. If the game has only been talked about meanwhile, by an offer for instance, it still answers the same. */
    async #play(command: Command, again = 2): Promise<null> {
        const before = this.#game?.now;
        try {
            return await this.#do({ ...command, lag: this.#way });
        } catch (problem) {
            if (!(problem instanceof ApiProblem) || problem.kind !== "stale-revision" || again === 0) throw problem;
            await this.#store?.resynchronise();
            const now = this.#game?.now;
            const same = before?.position === now?.position && before?.turn === now?.turn;
            if (!same || before?.phase !== now?.phase || now?.outcome) throw problem;
            return this.#play({ ...command, revision: this.#revision }, again - 1);
        }
    }

    #byHttp(command: Command & { id: string }): Promise<Done> | null {
        const { type, ...body } = command;
        if (type === "ping" || type === "hello") return null;
        const path = `/games/${encodeURIComponent(this.id)}/${PLACES[type] ?? type}`;
        const done = (revision: number): Done => ({ type: "done", id: command.id, revision });
        if (type === "chat") {
            return send("POST", path, body, this.#token).then(() => done(0));
        }
        return json<Update>("POST", path, body, this.#token).then((update) => {
            this.#store?.receive(update);
            return done(update.revision);
        });
    }

    // What is heard

    #connected(link: Link): void {
        if (!this.#isOnline) return;
        this.#link = link;
        const token = this.#token;
        if (token && this.#game?.you.length === 0) link.send({ type: "hello", id: "hello", seat: token });
        this.#commands.attach(link);
        if (!this.#greeted) void this.#greet();
        this.#ping();
        clearInterval(this.#pinging);
        this.#pinging = setInterval(() => this.#ping(), PING);
    }

    #disconnected(): void {
        clearInterval(this.#pinging);
        this.#link = null;
        this.#commands.detach();
    }

    #ping(): void {
        if (this.#link && this.#commands.waiting === 0) void this.#commands.do({ type: "ping" }).catch(() => undefined);
    }

    /** What was said and offered before we came. */
    async #greet(): Promise<void> {
        this.#greeted = true;
        try {
            const { lines } = await online.chat(this.id, this.#token);
            const newer = this.lines.filter(({ number }) => !lines.some((line) => line.number === number));
            this.lines = [...lines, ...newer];
            this.read = this.heard.length;
        } catch {
            this.#greeted = false; // Again with the next connection.
        }
    }

    /** Whether the players are at the table. */
    #attend(forest: boolean, sea: boolean): void {
        const now = Date.now();
        if (this.presence) this.presence = { ...this.presence, forest, sea };
        this.away = {
            ...(forest ? {} : { forest: this.away.forest ?? now }),
            ...(sea ? {} : { sea: this.away.sea ?? now }),
        };
    }

    #hear(message: TableMessage): void {
        switch (message.type) {
            case "done":
            case "refused":
                this.#commands.answer(message);
                break;
            case "presence":
                this.presence = message;
                this.#attend(message.forest, message.sea);
                break;
            case "chat":
                if (!this.lines.some(({ number }) => number === message.line.number))
                    this.lines = [...this.lines, message.line];
                break;
            case "rematch":
                this.rematch = message;
                break;
        }
    }
}

function loadMuted(): readonly string[] {
    try {
        const found: unknown = JSON.parse(localStorage.getItem(MUTED) ?? "[]");
        return Array.isArray(found) ? found.filter((each) => typeof each === "string") : [];
    } catch {
        return [];
    }
}
