import { ReconnectingSocket } from "./reconnecting";

/** Subscribe to the lobby or a challenge: receive its state now and after every change. Returns a stop function. */
export function follow<Message>(path: string, onMessage: (message: Message) => void): () => void {
    const socket = new ReconnectingSocket(path, { message: (message) => onMessage(message as Message) });
    socket.open();
    return () => socket.close();
}
