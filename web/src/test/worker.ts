/** Workers whose messages are controlled by the test. jsdom has no workers. */
import { vi } from "vitest";

/** A valid WebAssembly module without any content. */
export const EMPTY_MODULE = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);

export class FakeWorker extends EventTarget {
    /** All workers that have been started, in order. */
    static started: FakeWorker[] = [];
    /** Answers a message to any worker; `undefined` leaves the message unanswered. */
    static answer: (message: never) => unknown;

    readonly sent: unknown[] = [];
    isAlive = true;
    onmessage: ((event: MessageEvent) => void) | null = null;

    /** Replace the browser's workers. Undo this with `vi.unstubAllGlobals`. */
    static install(): void {
        FakeWorker.started = [];
        FakeWorker.answer = () => undefined;
        vi.stubGlobal("Worker", FakeWorker);
    }

    /** The workers that have not been terminated. */
    static get alive(): FakeWorker[] {
        return FakeWorker.started.filter(({ isAlive }) => isAlive);
    }

    constructor() {
        super();
        FakeWorker.started.push(this);
    }

    postMessage(message: unknown): void {
        this.sent.push(message);
        const answer = FakeWorker.answer(message as never);
        if (answer !== undefined) queueMicrotask(() => this.reply(answer));
    }

    terminate(): void {
        this.isAlive = false;
    }

    /** Send a message to the page. */
    reply(data: unknown): void {
        const event = new MessageEvent("message", { data });
        this.onmessage?.(event);
        this.dispatchEvent(event);
    }

    /** Let the worker fail with an error. */
    fail(message: string): void {
        this.dispatchEvent(new ErrorEvent("error", { message }));
    }
}
