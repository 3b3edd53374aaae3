/**
 * A game on the server. Commands are sent and changes are received over a socket. Where sockets are blocked, commands
 * are sent over HTTP and the game is polled.
 */
import { api, ApiProblem, json, send, type GameView, type Update } from "../client";
import { backOff, connection } from "../connection.svelte";
import { online, type GameCommand, type GameMessage } from "../online";
import { closeEarlySocket, ReconnectingSocket, type Ending } from "../reconnecting";
import { seatOf } from "../seats";
import { Commands, type Done, type Keyed } from "./commands";
import { Replica } from "./replica";
import { ServerTime } from "./serverTime";
import type { GameFollower, GameSource, TableChannel, TableEvent, TokenToPlay } from "./source";

export const HEARTBEAT = 10_000;
/** How long to wait for an answer when the page becomes visible or the network comes back, in milliseconds. */
export const WAKE_PATIENCE = 3_000;
/** The interval at which the game is polled where sockets are blocked, in milliseconds. */
export const POLL = 2_500;
/** The largest lag that a command may report, in milliseconds. */
const LONGEST_LAG = 60_000;
/** The HTTP paths of commands whose path differs from their type. */
const PATHS: Readonly<Partial<Record<GameCommand["type"], string>>> = { play: "tokens" };
/** The kinds of temporary refusals after which a seat token is resent. */
const TEMPORARY: readonly string[] = ["storage-failed", "storage-full", "too-fast", "too-many"];

export class ServerGameSource implements GameSource {
    readonly id: string;
    readonly takeOver = null;
    readonly table: TableChannel;
    readonly #time = new ServerTime();
    readonly #replica: Replica;
    readonly #commands: Commands;
    readonly #socket: ReconnectingSocket;
    readonly #listeners = new Set<(event: TableEvent) => void>();
    #follower: GameFollower | null = null;
    #heartbeat: ReturnType<typeof setInterval> | undefined;
    #greeting: ReturnType<typeof setTimeout> | undefined;

    constructor(id: string) {
        this.id = id;
        this.#replica = new Replica({
            fetch: () => json<GameView>("GET", this.#path(), undefined, this.#seat),
            changed: (game) => this.#follower?.game(game),
            now: () => this.#time.now(),
        });
        this.#commands = new Commands({
            byHttp: (command) => this.#byHttp(command),
            onAnswer: (done, sent) => this.#measure(done, sent),
        });
        this.#socket = new ReconnectingSocket(`${this.#path()}/socket`, {
            connecting: () => this.#follower?.connection("connecting"),
            message: (message) => this.#handle(message as GameMessage),
            opened: () => this.#opened(),
            lost: (ending) => this.#lost(ending),
            refused: (problem) => this.#follower?.problem(problem),
            check: () => this.#commands.ping(WAKE_PATIENCE),
        });
        this.table = this.#makeTable();
    }

    follow(follower: GameFollower): () => void {
        this.#follower = follower;
        this.#socket.open();
        closeEarlySocket();
        return () => {
            this.#follower = null;
            clearInterval(this.#heartbeat);
            clearTimeout(this.#greeting);
            this.#commands.stop();
            this.#replica.stop();
            this.#socket.close();
        };
    }

    play(token: TokenToPlay): Promise<void> {
        return this.#play({ type: "play", ...token });
    }

    undo(revision: number, scope: "step" | "turn"): Promise<void> {
        return this.#do({ type: "undo", revision, scope });
    }

    confirm(revision: number): Promise<void> {
        return this.#do({ type: "confirm", revision, lag: this.#lag });
    }

    refresh(): Promise<void> {
        return this.#replica.refresh();
    }

    record(): Promise<string> {
        return api.record(this.id);
    }

    // Commands

    /** Send a command and wait until the game shows its result. */
    async #do(command: GameCommand): Promise<void> {
        const { revision } = await this.#commands.do(command);
        if (revision !== null) await this.#replica.reached(revision);
    }

    /**
     * Play a token. The revision can be stale even though the position has not changed, for instance if another server
     * process has stored an offer. If the position is still the one that the player saw, resend the token.
     */
    async #play(command: GameCommand & { type: "play" }, attempts = 2): Promise<void> {
        const before = this.#replica.game?.now;
        try {
            await this.#do({ ...command, lag: this.#lag });
        } catch (problem) {
            if (!(problem instanceof ApiProblem) || problem.kind !== "stale-revision" || attempts === 0) throw problem;
            await this.refresh();
            const now = this.#replica.game?.now;
            const isSame =
                before?.position === now?.position && before?.turn === now?.turn && before?.phase === now?.phase;
            if (!isSame || now?.outcome) throw problem;
            await this.#play({ ...command, revision: this.#revision }, attempts - 1);
        }
    }

    async #byHttp(command: Keyed<GameCommand>): Promise<Done> {
        const { type, ...body } = command;
        const path = `${this.#path()}/${PATHS[type] ?? type}`;
        if (type === "chat") {
            await send("POST", path, body, this.#seat);
            return { id: command.id, revision: null };
        }
        const update = await json<Update>("POST", path, body, this.#seat);
        this.#replica.update(update);
        return { id: command.id, revision: update.revision };
    }

    #makeTable(): TableChannel {
        return {
            clock: this.#time,
            listen: (listener) => {
                this.#listeners.add(listener);
                return () => this.#listeners.delete(listener);
            },
            offer: (what, scope = "turn") => this.#do({ type: "offer", what, scope, revision: this.#revision }),
            answer: (answer) => this.#do({ type: "answer", answer, revision: this.#revision }),
            resign: () => this.#do({ type: "resign" }),
            reveal: (link) => this.#do({ type: "reveal", link, revision: this.#revision, lag: this.#lag }),
            claim: () => this.#do({ type: "claim" }),
            say: (words) => this.#do({ type: "chat", ...words }),
            chat: async () => (await online.chat(this.id, this.#seat)).lines,
            report: async (about, text) => void (await online.report(this.id, about, text, this.#seat)),
        };
    }

    // The connection

    #handle(message: GameMessage): void {
        connection.succeed();
        switch (message.type) {
            case "game": {
                const { players } = message.game;
                this.#follower?.connection("connected");
                this.#replica.replace(message.game);
                if (players) this.#emit({ type: "presence", forest: players.forest.online, sea: players.sea.online });
                break;
            }
            case "update":
                this.#replica.update(message.update);
                if (message.done !== null) this.#commands.done({ id: message.done, revision: message.update.revision });
                break;
            case "done":
                this.#commands.done(message);
                break;
            case "refused":
                this.#commands.refuse(message);
                break;
            default:
                this.#emit(message);
        }
    }

    #opened(): void {
        void this.#sayHello();
        this.#commands.attach({ send: (command) => this.#socket.send(command), renew: this.#socket.renew });
        this.#commands.ping();
        clearInterval(this.#heartbeat);
        this.#heartbeat = setInterval(() => this.#commands.ping(), HEARTBEAT);
        this.#emit({ type: "connected" });
    }

    /** Send the seat token stored in this browser, unless the session already has the seat. */
    async #sayHello(attempt = 0): Promise<void> {
        const seat = this.#seat;
        if (!seat || this.#replica.game?.you.length !== 0) return;
        try {
            await this.#commands.hello(seat);
        } catch (problem) {
            if (!(problem instanceof ApiProblem) || !TEMPORARY.includes(problem.kind)) return;
            this.#greeting = setTimeout(() => void this.#sayHello(attempt + 1), backOff(attempt));
        }
    }

    /** A connection ended. If it never worked, find out over HTTP whether the game exists or sockets are blocked. */
    async #lost({ greeted, attempt, full }: Ending): Promise<number | null> {
        clearInterval(this.#heartbeat);
        clearTimeout(this.#greeting);
        if (!greeted && !full) {
            try {
                await this.refresh();
                this.#commands.detach(true);
                this.#follower?.connection("limited");
                this.#emit({ type: "connected" });
                return POLL;
            } catch (problem) {
                if (problem instanceof ApiProblem && problem.isFinal) {
                    this.#follower?.problem(problem);
                    return null;
                }
            }
        }
        this.#commands.detach();
        this.#follower?.connection("lost");
        // The first retry usually repairs a dropped connection, so do not show the banner yet.
        if (attempt > 0 && !full) connection.fail();
        return backOff(attempt);
    }

    #measure(done: Done, sent: number): void {
        // An update does not contain the server's time, and it was delayed by a disk write.
        if (done.at === undefined) return;
        this.#time.learn(sent, Date.now(), done.at);
        if (this.#time.lag !== null) this.#emit({ type: "lag", lag: this.#time.lag });
    }

    /** Send an event to the listeners. Only an online game has table events. */
    #emit(event: TableEvent): void {
        if (this.#replica.game?.kind !== "online") return;
        for (const listener of this.#listeners) listener(event);
    }

    get #seat(): string | null {
        return seatOf(this.id)?.token ?? null;
    }

    get #revision(): number {
        return this.#replica.game?.revision ?? 0;
    }

    /** The lag to report with a command, so that the round-trip time is not charged to the player. */
    get #lag(): number {
        return Math.min(LONGEST_LAG, this.#time.lag ?? 0);
    }

    #path(): string {
        return `/games/${encodeURIComponent(this.id)}`;
    }
}
