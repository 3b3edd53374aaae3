import { ApiProblem, api, type GameView, type Update } from "./client";
import { backOff, connection } from "./connection.svelte";
import type { TableMessage } from "./online";

export type SocketState = "connecting" | "open" | "lost" | "closed";

/** A connection that is open. */
export interface Link {
    send: (command: object) => void;
    /** Nobody answers any more: give the connection up, and make a new one. */
    renew: () => void;
}

export interface GameSocketHandlers {
    /** The whole game: at first, after every reconnection, and whenever the server finds it simplest. */
    game: (game: GameView) => void;
    update: (update: Update) => void;
    state?: (state: SocketState) => void;
    /** The connection stands, and the game has been told: commands can be sent. */
    opened?: (link: Link) => void;
    /** Whatever else is said at the table. */
    message?: (message: TableMessage) => void;
    /** The game cannot be watched at all, for instance because there is none of that name. No further attempt is made. */
    problem: (problem: ApiProblem) => void;
}

type GameMessage = { type: "game"; game: GameView } | { type: "update"; update: Update } | TableMessage;

/** Answers that will not change: it is not ours to see, or there is no such game. */
const FINAL: ReadonlySet<number> = new Set([403, 404, 410]);

/** The server takes no more sockets from here. */
const TOO_MANY = 4429;

/** The address of a game's socket beside this page. */
function socketAddress(id: string): string {
    const address = new URL(`/api/games/${encodeURIComponent(id)}/socket`, window.location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    return address.href;
}

declare global {
    interface Window {
        /** What public/start.js began before the scripts were there. */
        cairnEarly?: { socket: WebSocket; heard: MessageEvent<string>[] } | undefined;
    }
}

/** A connection: the one that was begun with the page, if it leads there, or else a new one. */
function socketTo(address: string): WebSocket {
    const early = window.cairnEarly;
    window.cairnEarly = undefined;
    if (early?.socket.url !== address || early.socket.readyState > WebSocket.OPEN) {
        early?.socket.close();
        return new WebSocket(address);
    }
    const { socket, heard } = early;
    // What was said already is heard as soon as somebody listens.
    queueMicrotask(() => {
        for (const event of heard) socket.onmessage?.(event);
    });
    return socket;
}

/** Watch a game until the returned function is called. A lost connection is taken up again by itself. */
export function watchGame(id: string, handlers: GameSocketHandlers): () => void {
    let socket: WebSocket | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let attempt = 0;
    let closed = false;

    function connect(): void {
        handlers.state?.("connecting");
        const current = socketTo(socketAddress(id));
        socket = current;
        let greeted = false;
        current.onmessage = (event: MessageEvent<string>) => {
            if (closed || current !== socket) return;
            const first = !greeted;
            greeted = true;
            attempt = 0;
            connection.succeed();
            const message = JSON.parse(event.data) as GameMessage;
            if (message.type === "game") {
                handlers.state?.("open");
                handlers.game(message.game);
                if (first) handlers.opened?.(linkTo(current));
            } else if (message.type === "update") {
                handlers.update(message.update);
            } else {
                handlers.message?.(message);
            }
        };
        current.onclose = ({ code, reason }) => {
            if (closed || current !== socket) return;
            if (code === TOO_MANY) {
                stop();
                handlers.problem(new ApiProblem("too-many-sockets", reason, 429));
            } else void lost(greeted);
        };
    }

    /** Try again later; but a socket that never greeted may mean that there is no such game, and HTTP tells why. */
    async function lost(greeted: boolean): Promise<void> {
        const before = socket;
        handlers.state?.("lost");
        if (!greeted) {
            try {
                await api.game(id);
            } catch (error) {
                if (closed) return;
                if (error instanceof ApiProblem && FINAL.has(error.status)) {
                    stop();
                    handlers.problem(error);
                    return;
                }
            }
        }
        if (closed || socket !== before) return; // the network came back meanwhile, and with it another socket
        // A single cut heals within the first wait, and nobody needs to hear of it.
        if (attempt > 0) connection.fail();
        timer = setTimeout(connect, backOff(attempt));
        attempt += 1;
    }

    function linkTo(current: WebSocket): Link {
        return {
            send: (command) => {
                if (current.readyState === WebSocket.OPEN) current.send(JSON.stringify(command));
            },
            renew: () => {
                if (current === socket) drop();
            },
        };
    }

    /** Do not wait until a connection that leads nowhere is closed by itself. */
    function drop(): void {
        const current = socket;
        if (closed || !current || current.readyState > WebSocket.OPEN) return;
        socket = undefined;
        current.close();
        void lost(true);
    }

    function wake(): void {
        if (closed || socket?.readyState === WebSocket.OPEN || socket?.readyState === WebSocket.CONNECTING) return;
        clearTimeout(timer);
        attempt = 0;
        connect();
    }

    function stop(): void {
        closed = true;
        clearTimeout(timer);
        window.removeEventListener("online", wake);
        window.removeEventListener("offline", drop);
        socket?.close();
        handlers.state?.("closed");
    }

    window.addEventListener("online", wake);
    window.addEventListener("offline", drop);
    connect();
    return stop;
}
