/**
 * Commands on their way to the server. Each has an id of our own making: whatever is not answered is sent again with the
 * same id over the next connection, or by HTTP where none comes about, and the server does it once.
 */
import { ApiProblem } from "../../lib/client";
import type { TableMessage } from "../../lib/online";
import type { Link } from "../../lib/socket";

/** How long an answer may take before the connection is given up. */
export const PATIENCE = 6_000;
/** How long to wait for a connection before HTTP is tried. */
export const FALLBACK = 4_000;

export type Command = { type: string } & Record<string, unknown>;
export type Done = Extract<TableMessage, { type: "done" }>;
type Answer = Extract<TableMessage, { type: "done" | "refused" }>;

interface Pending {
    command: Command & { id: string };
    sent: number;
    resolve: (done: Done) => void;
    reject: (problem: unknown) => void;
}

export interface CommandsOptions {
    /** The same by HTTP; `null` for what only a socket knows. Throws an {@link ApiProblem} where it is refused. */
    byHttp: (command: Command & { id: string }) => Promise<Done> | null;
    /** An answer came to something that was sent then. */
    onAnswer?: (done: Done, sent: number) => void;
    makeId?: () => string;
}

export class Commands {
    readonly #options: CommandsOptions;
    readonly #pending = new Map<string, Pending>();
    #link: Link | null = null;
    #timer: ReturnType<typeof setTimeout> | undefined;

    constructor(options: CommandsOptions) {
        this.#options = options;
    }

    get waiting(): number {
        return this.#pending.size;
    }

    /** Send a command. The promise is kept whatever happens to the connection, or broken by a refusal. */
    do(command: Command): Promise<Done> {
        const id = this.#options.makeId?.() ?? newId();
        return new Promise((resolve, reject) => {
            const pending = { command: { ...command, id }, sent: 0, resolve, reject };
            this.#pending.set(id, pending);
            if (this.#link) this.#send(pending, this.#link);
            this.#watch();
        });
    }

    /** A connection stands: what was not answered goes first. */
    attach(link: Link): void {
        this.#link = link;
        for (const pending of this.#pending.values()) this.#send(pending, link);
        this.#watch();
    }

    detach(): void {
        this.#link = null;
        this.#watch();
    }

    /** The page is left. What was sent is the server's; what was not is forgotten. */
    stop(): void {
        clearTimeout(this.#timer);
        this.#link = null;
        this.#pending.clear();
    }

    answer(message: Answer): void {
        const pending = this.#pending.get(message.id);
        if (!pending) return;
        this.#pending.delete(message.id);
        if (message.type === "done") {
            this.#options.onAnswer?.(message, pending.sent);
            pending.resolve(message);
        } else {
            const { kind, sentence, faults } = message.problem;
            pending.reject(new ApiProblem(kind, sentence, 409, faults));
        }
        if (this.#pending.size === 0) clearTimeout(this.#timer);
    }

    #send(pending: Pending, link: Link): void {
        pending.sent = Date.now();
        link.send(pending.command);
    }

    /** While something waits, look after it. */
    #watch(): void {
        clearTimeout(this.#timer);
        if (this.#pending.size === 0) return;
        this.#timer = setTimeout(() => this.#look(), this.#link ? PATIENCE : FALLBACK);
    }

    #look(): void {
        const link = this.#link;
        if (link) {
            const overdue = [...this.#pending.values()].some((each) => Date.now() - each.sent >= PATIENCE);
            if (overdue) {
                this.detach();
                link.renew();
            } else this.#watch();
            return;
        }
        for (const pending of [...this.#pending.values()]) void this.#byHttp(pending);
        this.#watch();
    }

    async #byHttp(pending: Pending): Promise<void> {
        const { id } = pending.command;
        try {
            const done = await this.#options.byHttp(pending.command);
            if (done && this.#pending.delete(id)) pending.resolve(done);
        } catch (problem) {
            // Where nobody answered, it waits for the next connection.
            const refused = problem instanceof ApiProblem && problem.status >= 400 && problem.status < 500;
            if (refused && this.#pending.delete(id)) pending.reject(problem);
        }
    }
}

function newId(): string {
    return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(36)).join("");
}
