import { ApiProblem, api, type GameView, type Update } from "./client";
import { backOff, connection } from "./connection.svelte";

export type SocketState = "connecting" | "open" | "lost" | "closed";

export interface GameSocketHandlers {
    /** The whole game: at first, after every reconnection, and whenever the server finds it simplest. */
    game: (game: GameView) => void;
    update: (update: Update) => void;
    state?: (state: SocketState) => void;
    /** The game cannot be watched at all, for instance because there is none of that name. No further attempt is made. */
    problem: (problem: ApiProblem) => void;
}

type GameMessage = { type: "game"; game: GameView } | { type: "update"; update: Update };

/** The address of a game's socket beside this page. */
function socketAddress(id: string): string {
    const address = new URL(`/api/games/${encodeURIComponent(id)}/socket`, window.location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    return address.href;
}

/** Watch a game until the returned function is called. A lost connection is taken up again by itself. */
export function watchGame(id: string, handlers: GameSocketHandlers): () => void {
    let socket: WebSocket | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let attempt = 0;
    let closed = false;

    function connect(): void {
        handlers.state?.("connecting");
        const current = new WebSocket(socketAddress(id));
        socket = current;
        let greeted = false;
        current.onmessage = (event: MessageEvent<string>) => {
            if (closed || current !== socket) return;
            greeted = true;
            attempt = 0;
            connection.succeed();
            const message = JSON.parse(event.data) as GameMessage;
            if (message.type === "game") {
                handlers.state?.("open");
                handlers.game(message.game);
            } else {
                handlers.update(message.update);
            }
        };
        current.onclose = () => {
            if (!closed && current === socket) void lost(greeted);
        };
    }

    /** Try again later; but a socket that never greeted may mean that there is no such game, and HTTP tells why. */
    async function lost(greeted: boolean): Promise<void> {
        handlers.state?.("lost");
        if (!greeted) {
            try {
                await api.game(id);
            } catch (error) {
                if (closed) return;
                if (error instanceof ApiProblem && error.status >= 400 && error.status < 500) {
                    stop();
                    handlers.problem(error);
                    return;
                }
            }
        }
        if (closed) return;
        // A single cut heals within the first wait, and nobody needs to hear of it.
        if (attempt > 0) connection.fail();
        timer = setTimeout(connect, backOff(attempt));
        attempt += 1;
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
        socket?.close();
        handlers.state?.("closed");
    }

    window.addEventListener("online", wake);
    connect();
    return stop;
}
