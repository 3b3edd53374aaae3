import { ReconnectingSocket } from "./reconnecting";

/** Hear what the server says about something, the lobby or a challenge, now and whenever it changes. */
export function follow<Message>(path: string, heard: (message: Message) => void): () => void {
    const socket = new ReconnectingSocket(path, { message: (message) => heard(message as Message) });
    socket.open();
    return () => socket.close();
}
