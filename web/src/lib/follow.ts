import { ReconnectingSocket } from "./reconnecting";

/** Receive the state of the lobby or of a challenge, now and whenever it changes. Returns a function that stops it. */
export function follow<Message>(path: string, onMessage: (message: Message) => void): () => void {
    const socket = new ReconnectingSocket(path, { message: (message) => onMessage(message as Message) });
    socket.open();
    return () => socket.close();
}
