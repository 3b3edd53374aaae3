/**
 * Lets a page play a local game: `call` runs a method of `LocalGame` in a worker; `close` terminates the worker. After
 * an error such as a WebAssembly trap, the state of the core is unknown, so the client closes itself. Start another
 * client and open the game in it.
 */
import type { GameCall, GameMethod, GameReply } from "./core.worker.ts";
import type { LocalGame } from "./localGame.ts";
import { workerError } from "./workerError.ts";

type Waiting = { resolve: (result: never) => void; reject: (error: Error) => void };

export class GameClient {
    readonly #worker: Worker;
    readonly #waiting = new Map<number, Waiting>();
    #calls = 0;
    /** Why the worker no longer responds; `null` while it does. */
    #failure: Error | null = null;

    constructor(module: WebAssembly.Module) {
        this.#worker = new Worker(new URL("./core.worker.ts", import.meta.url), { type: "module" });
        this.#worker.addEventListener("message", ({ data }: MessageEvent<GameReply>) => this.#receive(data));
        this.#worker.addEventListener("error", (event) => this.#fail(workerError(event)));
        this.#worker.postMessage({ module });
    }

    /** Whether the worker has been terminated, by `close` or after an error. */
    get isClosed(): boolean {
        return this.#failure !== null;
    }

    /** Calls a method of the game. Calls are executed in order. Rejects if the method or the worker fails. */
    call<Method extends GameMethod>(
        method: Method,
        ...values: Parameters<LocalGame[Method]>
    ): Promise<ReturnType<LocalGame[Method]>> {
        if (this.#failure) return Promise.reject(this.#failure);
        const id = ++this.#calls;
        return new Promise((resolve, reject) => {
            this.#waiting.set(id, { resolve, reject });
            this.#worker.postMessage({ id, method, values } satisfies GameCall);
        });
    }

    /** Terminates the worker and rejects all pending and later calls. */
    close(): void {
        this.#fail(new Error("the game is closed"));
    }

    #receive(reply: GameReply): void {
        if ("error" in reply) return this.#fail(new Error(reply.error));
        const waiting = this.#waiting.get(reply.id);
        this.#waiting.delete(reply.id);
        waiting?.resolve(reply.result as never);
    }

    #fail(failure: Error): void {
        this.#worker.terminate();
        this.#failure ??= failure;
        for (const { reject } of this.#waiting.values()) reject(failure);
        this.#waiting.clear();
    }
}
