/**
 * A WebSocket that reconnects with exponential back-off, and immediately when the network comes back or the page
 * becomes visible again.
 */
import { ApiProblem } from "./client";
import { backOff } from "./connection.svelte";
import { reportProblem } from "./problems";

/** Close codes that the server uses. */
const NOT_FOUND = 4404;
const TOO_MANY_SOCKETS = 4429;
/** If the page was hidden for at least this many milliseconds, its connection may have died unnoticed. */
const LONG_HIDDEN = 30_000;

/** How a connection ended. */
export interface Ending {
    /** Whether the connection had received a message. */
    greeted: boolean;
    /** How many attempts to connect failed before this connection. */
    attempt: number;
    /** Whether the server refuses further sockets from this client. */
    full: boolean;
}

export interface SocketHandlers {
    message: (message: unknown) => void;
    connecting?: () => void;
    /** The first message of a connection has been handled, so commands can be sent. */
    opened?: () => void;
    /** A connection ended. Resolves to the milliseconds to wait before the next attempt; `null` means no attempt. */
    lost?: (ending: Ending) => Promise<number | null>;
    /** The server refuses further sockets from this client, and no connection has ever worked. There is no retry. */
    refused?: (problem: ApiProblem) => void;
    /** The page is visible again or the network is back: check whether the connection still works. */
    check?: () => void;
}

declare global {
    interface Window {
        /** The connection that public/start.js opened before the scripts were loaded. */
        cairnEarly?: { socket: WebSocket; heard: MessageEvent<string>[] } | undefined;
    }
}

/** The URL of a socket on this site. */
export function socketAddress(path: string): string {
    const address = new URL(`/api${path}`, window.location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    return address.href;
}

/** Use the connection that public/start.js opened if it has this URL; otherwise open a new one. */
function connectTo(address: string): WebSocket {
    const early = window.cairnEarly;
    if (early?.socket.url !== address || early.socket.readyState > WebSocket.OPEN) return new WebSocket(address);
    window.cairnEarly = undefined;
    const { socket, heard } = early;
    // Deliver the messages that were received before there was a listener.
    queueMicrotask(() => {
        for (const event of heard) socket.onmessage?.(event);
    });
    return socket;
}

/** Close the connection that public/start.js opened, if it has not been used. */
export function closeEarlySocket(): void {
    window.cairnEarly?.socket.close();
    window.cairnEarly = undefined;
}

export class ReconnectingSocket {
    readonly #address: string;
    readonly #handlers: SocketHandlers;
    #socket: WebSocket | undefined;
    #timer: ReturnType<typeof setTimeout> | undefined;
    #attempt = 0;
    #closed = false;
    /** Whether any connection has worked. */
    #worked = false;
    /** Whether the player has been notified that there are too many sockets. */
    #reported = false;
    #hiddenSince: number | null = null;

    constructor(path: string, handlers: SocketHandlers) {
        this.#address = socketAddress(path);
        this.#handlers = handlers;
    }

    open(): void {
        window.addEventListener("online", this.#wake);
        window.addEventListener("offline", this.renew);
        document.addEventListener("visibilitychange", this.#changeVisibility);
        this.#connect();
    }

    close(): void {
        this.#closed = true;
        clearTimeout(this.#timer);
        window.removeEventListener("online", this.#wake);
        window.removeEventListener("offline", this.renew);
        document.removeEventListener("visibilitychange", this.#changeVisibility);
        const socket = this.#socket;
        // Browsers log an error if a socket is closed before it is open.
        if (socket?.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
        else socket?.close();
    }

    send(message: object): void {
        if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
    }

    /** Drop the current connection without waiting for the browser to notice that it is dead. */
    readonly renew = (): void => {
        const socket = this.#socket;
        if (this.#closed || !socket || socket.readyState > WebSocket.OPEN) return;
        this.#socket = undefined;
        socket.close();
        void this.#lose({ greeted: true, full: false });
    };

    #connect(): void {
        this.#handlers.connecting?.();
        const socket = connectTo(this.#address);
        this.#socket = socket;
        let greeted = false;
        socket.onmessage = (event: MessageEvent<string>) => {
            if (this.#closed || socket !== this.#socket) return;
            const first = !greeted;
            greeted = this.#worked = true;
            this.#reported = false;
            this.#attempt = 0;
            this.#handlers.message(JSON.parse(event.data));
            if (first) this.#handlers.opened?.();
        };
        socket.onclose = ({ code, reason }) => {
            if (!this.#closed && socket === this.#socket) this.#end(code, reason, greeted);
        };
    }

    #end(code: number, reason: string, greeted: boolean): void {
        if (code === NOT_FOUND && !this.#handlers.lost) {
            this.close();
            return;
        }
        const full = code === TOO_MANY_SOCKETS;
        if (full && !this.#reported) {
            const problem = new ApiProblem("too-many-sockets", reason, 429);
            if (this.#handlers.refused && !this.#worked) {
                this.close();
                this.#handlers.refused(problem);
                return;
            }
            this.#reported = true;
            reportProblem(problem);
        }
        void this.#lose({ greeted, full });
    }

    async #lose(ending: Omit<Ending, "attempt">): Promise<void> {
        const before = this.#socket;
        const attempt = this.#attempt;
        const wait = this.#handlers.lost ? await this.#handlers.lost({ ...ending, attempt }) : backOff(attempt);
        // Meanwhile, the visitor may have left the page, or a new connection may have been opened.
        if (this.#closed || this.#socket !== before) return;
        if (wait === null) {
            this.close();
            return;
        }
        this.#attempt = attempt + 1;
        this.#timer = setTimeout(() => this.#connect(), wait);
    }

    readonly #wake = (): void => {
        const state = this.#socket?.readyState;
        if (this.#closed || state === WebSocket.CONNECTING) return;
        const hiddenFor = this.#hiddenSince === null ? 0 : Date.now() - this.#hiddenSince;
        if (state === WebSocket.OPEN) {
            if (this.#handlers.check) this.#handlers.check();
            else if (hiddenFor >= LONG_HIDDEN) this.renew();
            return;
        }
        clearTimeout(this.#timer);
        this.#attempt = 0;
        this.#connect();
    };

    readonly #changeVisibility = (): void => {
        if (document.visibilityState === "hidden") this.#hiddenSince = Date.now();
        else {
            this.#wake();
            this.#hiddenSince = null;
        }
    };
}
