/** A fake WebSocket. The test acts as the server. */
import { vi } from "vitest";

export class FakeSocket {
    static readonly CONNECTING = 0;
    static readonly OPEN = 1;
    static all: FakeSocket[] = [];
    readyState = FakeSocket.CONNECTING;
    readonly sent: Record<string, unknown>[] = [];
    onopen: (() => void) | null = null;
    onmessage: ((event: { data: string }) => void) | null = null;
    onclose: ((event: { code: number; reason: string }) => void) | null = null;

    constructor(readonly url: string) {
        FakeSocket.all.push(this);
    }

    /** Deliver a message from the server. */
    tell(message: unknown): void {
        this.readyState = FakeSocket.OPEN;
        this.onmessage?.({ data: JSON.stringify(message) });
    }

    send(text: string): void {
        this.sent.push(JSON.parse(text) as Record<string, unknown>);
    }

    close(code = 1006, reason = ""): void {
        this.readyState = 3;
        this.onclose?.({ code, reason });
    }

    static last(): FakeSocket {
        const socket = FakeSocket.all.at(-1);
        if (!socket) throw new Error("no socket was opened");
        return socket;
    }

    /** Replace the browser's WebSocket until the globals are restored. */
    static install(): void {
        FakeSocket.all = [];
        vi.stubGlobal("WebSocket", FakeSocket);
    }
}

/** Hide the page, or make it visible again. */
export function setVisible(visible: boolean): void {
    vi.spyOn(document, "visibilityState", "get").mockReturnValue(visible ? "visible" : "hidden");
    document.dispatchEvent(new Event("visibilitychange"));
}
