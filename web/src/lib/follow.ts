/**
 * Something that the server tells anew whenever it changes: the lobby, a challenge. A lost connection is taken up
 * again.
 */
import { backOff } from "./connection.svelte";
import { reportProblem } from "./problems";
import { socketAddress, tooMany } from "./socket";

export function follow<Message>(path: string, heard: (message: Message) => void): () => void {
    let socket: WebSocket | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let attempt = 0;
    let closed = false;
    /** Whether it has been said that there are too many. */
    let told = false;

    function connect(): void {
        socket = new WebSocket(socketAddress(path));
        socket.onmessage = (event: MessageEvent<string>) => {
            attempt = 0;
            told = false;
            if (!closed) heard(JSON.parse(event.data) as Message);
        };
        socket.onclose = (event) => {
            // 4404: there is no such thing, and there will be none.
            if (closed || event.code === 4404) return;
            const full = tooMany(event);
            if (full && !told) reportProblem(full);
            told ||= Boolean(full);
            timer = setTimeout(connect, backOff(attempt));
            attempt += 1;
        };
    }

    connect();
    return () => {
        closed = true;
        clearTimeout(timer);
        // Browsers complain about sockets that are closed before they are open.
        if (socket?.readyState === WebSocket.CONNECTING) socket.onopen = () => socket?.close();
        else socket?.close();
    };
}
