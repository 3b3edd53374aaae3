import { ReconnectingSocket } from "./reconnecting";

/** Receive the state of the lobby or of a challenge, now and after every change. Returns a function that stops this. */
export function follow<Message>(path: string, onMessage: (message: Message) => void): () => void {
    const socket = new ReconnectingSocket(path, { message: (message) => onMessage(message as Message) });
    socket.open();
    return () => socket.close();
}
