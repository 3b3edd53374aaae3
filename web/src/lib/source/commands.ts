/**
 * Sends commands to the server until they are answered. The id of a command is its idempotency key: an unanswered
 * command is resent with the same id, over the next connection or over HTTP if there is none, and executed only once.
 */
import { ApiProblem } from "../client";
import { newId } from "../ids";
import type { DoneMessage, GameCommand, RefusedMessage, SocketCommand } from "../online";

/** How long to wait for an answer before the connection is renewed, in milliseconds. */
export const PATIENCE = 6_000;
/** How long to wait for a connection before HTTP is tried, in milliseconds. */
export const FALLBACK = 4_000;

/** The kind of refusal after which the client must wait and resend the command. */
const TOO_FAST = "too-fast";

/** Confirms that a command was executed. `at` is missing if the confirmation was part of an update. */
export type Done = Pick<DoneMessage, "id" | "revision"> & Partial<Pick<DoneMessage, "at">>;
/** A command with its idempotency key. */
export type Keyed<Command> = Command & { id: string };

/** An open connection. */
export interface Link {
    send: (command: Keyed<GameCommand | SocketCommand>) => void;
    /** Drop the connection and open another one, because the server does not answer. */
    renew: () => void;
}

interface Pending {
    command: Keyed<GameCommand | SocketCommand>;
    sent: number;
    /** How long an answer over a connection may take, in milliseconds. */
    patience: number;
    resolve: (done: Done) => void;
    reject: (problem: unknown) => void;
}

export interface CommandsOptions {
    /** Send a command over HTTP. Throws an {@link ApiProblem}. */
    byHttp: (command: Keyed<GameCommand>) => Promise<Done>;
    /** A command that was sent at `sent` has been answered. */
    onAnswer?: (done: Done, sent: number) => void;
}

/** Whether a command concerns only its connection, so that it is dropped when the connection is lost. */
function isOfSocket(command: Keyed<GameCommand | SocketCommand>): command is Keyed<SocketCommand> {
    return command.type === "ping" || command.type === "hello";
}

export class Commands {
    readonly #options: CommandsOptions;
    readonly #pending = new Map<string, Pending>();
    #link: Link | null = null;
    /** Whether the server is known to answer over HTTP only. */
    #httpOnly = false;
    #timer: ReturnType<typeof setTimeout> | undefined;

    constructor(options: CommandsOptions) {
        this.#options = options;
    }

    /** Send a command. The promise survives lost connections; a refusal rejects it. */
    do(command: GameCommand): Promise<Done> {
        return new Promise((resolve, reject) => {
            this.#begin({ ...command, id: command.id ?? newId() }, PATIENCE, resolve, reject);
        });
    }

    /** Send a seat token over the current or next connection. If that connection is lost, the promise never settles. */
    hello(seat: string): Promise<Done> {
        return new Promise((resolve, reject) => {
            this.#begin({ type: "hello", seat, id: newId() }, PATIENCE, resolve, reject);
        });
    }

    /** Check whether the connection works, unless the answer to a pending command will show that. */
    ping(patience = PATIENCE): void {
        if (!this.#link || this.#isWaiting(patience)) return;
        const ignore = (): void => undefined;
        this.#begin({ type: "ping", id: newId() }, patience, ignore, ignore);
    }

    /** A connection is open: send the commands that have not been answered. */
    attach(link: Link): void {
        this.#link = link;
        this.#httpOnly = false;
        // Send a seat token first. Without the seat, the server would refuse the other commands.
        const waiting = [...this.#pending.values()];
        const ofSocket = waiting.filter(({ command }) => isOfSocket(command));
        for (const pending of new Set([...ofSocket, ...waiting])) this.#send(pending, link);
        this.#watch();
    }

    /** The connection is lost. `httpOnly` means that the server answers over HTTP but not over sockets. */
    detach(httpOnly = false): void {
        this.#link = null;
        for (const [id, { command }] of this.#pending) if (isOfSocket(command)) this.#pending.delete(id);
        const changed = httpOnly && !this.#httpOnly;
        this.#httpOnly = httpOnly;
        if (changed) for (const pending of [...this.#pending.values()]) void this.#byHttp(pending);
        this.#watch();
    }

    /** The visitor is leaving the page. Pending commands are dropped. */
    stop(): void {
        clearTimeout(this.#timer);
        this.#link = null;
        this.#pending.clear();
    }

    /** The server executed a command. */
    done(done: Done): void {
        const pending = this.#take(done.id);
        if (!pending) return;
        this.#options.onAnswer?.(done, pending.sent);
        pending.resolve(done);
    }

    refuse({ id, problem: { kind, sentence, faults, seconds } }: RefusedMessage): void {
        const pending = this.#pending.get(id);
        if (pending && kind === TOO_FAST && pending.command.type !== "ping") this.#postpone(pending, seconds ?? 1);
        else this.#take(id)?.reject(new ApiProblem(kind, sentence, 409, faults, seconds ?? 0));
    }

    /** Remove an answered command. */
    #take(id: string): Pending | undefined {
        const pending = this.#pending.get(id);
        if (this.#pending.delete(id)) this.#watch();
        return pending;
    }

    #begin(
        command: Pending["command"],
        patience: number,
        resolve: Pending["resolve"],
        reject: Pending["reject"],
    ): void {
        const pending = { command, sent: Date.now(), patience, resolve, reject };
        this.#pending.set(command.id, pending);
        if (this.#link) this.#send(pending, this.#link);
        else if (this.#httpOnly) void this.#byHttp(pending);
        this.#watch();
    }

    #isWaiting(patience: number): boolean {
        return [...this.#pending.values()].some((each) => each.patience <= patience);
    }

    #send(pending: Pending, link: Link): void {
        pending.sent = Date.now();
        link.send(pending.command);
    }

    /** Resend a command later, because the server asked us to wait. */
    #postpone(pending: Pending, seconds: number): void {
        const link = this.#link;
        pending.sent = Date.now() + 1_000 * seconds;
        setTimeout(() => {
            const isWaiting = this.#pending.get(pending.command.id) === pending;
            // A new connection sends all waiting commands itself.
            if (link && link === this.#link && isWaiting) this.#send(pending, link);
        }, 1_000 * seconds);
        this.#watch();
    }

    /** Schedule the next check for the time when the first command becomes overdue. */
    #watch(): void {
        clearTimeout(this.#timer);
        if (this.#pending.size === 0) return;
        const deadlines = [...this.#pending.values()].map(({ sent, patience }) => sent + patience);
        const wait = this.#link ? Math.max(0, Math.min(...deadlines) - Date.now()) : FALLBACK;
        this.#timer = setTimeout(() => this.#look(), wait);
    }

    #look(): void {
        const link = this.#link;
        if (link) {
            const overdue = [...this.#pending.values()].some((each) => Date.now() - each.sent >= each.patience);
            if (!overdue) return this.#watch();
            this.detach();
            link.renew();
            return;
        }
        for (const pending of [...this.#pending.values()]) void this.#byHttp(pending);
        this.#watch();
    }

    async #byHttp(pending: Pending): Promise<void> {
        const { command } = pending;
        const { id } = command;
        if (isOfSocket(command)) return;
        try {
            const done = await this.#options.byHttp(command);
            if (this.#pending.delete(id)) pending.resolve(done);
        } catch (problem) {
            // If there was no response, the command waits for the next connection.
            const refused = !(problem instanceof ApiProblem) || problem.isRefusal;
            if (refused && this.#pending.delete(id)) pending.reject(problem);
        }
    }
}
