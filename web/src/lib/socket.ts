import { ApiProblem, api, type GameView, type Update } from "./client";
import { backOff, connection } from "./connection.svelte";
import type { TableMessage } from "./online";
import { reportProblem } from "./problems";

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
    /** The game cannot be watched at all, for instance because there is none of that name. It is not tried again. */
    problem: (problem: ApiProblem) => void;
}

type GameMessage =
    { type: "game"; game: GameView } | { type: "update"; update: Update; done: string | null } | TableMessage;

/** Answers that will not change: it is not ours to see, or there is no such game. */
const FINAL: ReadonlySet<number> = new Set([403, 404, 410]);

/** The problem that a socket was closed for, if it is that the server takes no more of them from here. */
export function tooMany({ code, reason }: CloseEvent): ApiProblem | null {
    return code === 4429 ? new ApiProblem("too-many-sockets", reason, 429) : null;
}

/** The address of a socket beside this page. */
export function socketAddress(path: string): string {
    const address = new URL(`/api${path}`, window.location.href);
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
    /** Whether the game has been told at all. */
    let known = false;
    /** Whether it has been said that there are too many. */
    let told = false;

    function connect(): void {
        handlers.state?.("connecting");
        const current = socketTo(socketAddress(`/games/${encodeURIComponent(id)}/socket`));
        socket = current;
        let greeted = false;
        current.onmessage = (event: MessageEvent<string>) => {
            if (closed || current !== socket) return;
            const first = !greeted;
            greeted = known = true;
            told = false;
            attempt = 0;
            connection.succeed();
            const message = JSON.parse(event.data) as GameMessage;
            if (message.type === "game") {
                handlers.state?.("open");
                handlers.game(message.game);
                if (first) handlers.opened?.(linkTo(current));
            } else if (message.type === "update") {
                const { update, done } = message;
                handlers.update(update);
                if (done !== null) handlers.message?.({ type: "done", id: done, revision: update.revision });
            } else {
                handlers.message?.(message);
            }
        };
        current.onclose = (event) => {
            if (closed || current !== socket) return;
            const full = tooMany(event);
            if (full && !known) {
                stop();
                handlers.problem(full);
                return;
            }
            // Whoever sat here before gets in again as soon as there is room.
            if (full && !told) reportProblem(full);
            told ||= Boolean(full);
            void lost(greeted, Boolean(full));
        };
    }

    /** Try again later; but a socket that never greeted may mean that there is no such game, and HTTP tells why. */
    async function lost(greeted: boolean, full = false): Promise<void> {
        const before = socket;
        handlers.state?.("lost");
        if (!greeted && !full) {
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
        if (attempt > 0 && !full) connection.fail();
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
