/** Lets a page play a local game: `call` runs a method of `LocalGame` in a worker; `close` terminates the worker. */
import type { GameCall, GameMethod, GameReply } from "./core.worker.ts";
import type { LocalGame } from "./localGame.ts";

type Waiting = { resolve: (result: never) => void; reject: (error: Error) => void };

export class GameClient {
    readonly #worker: Worker;
    readonly #waiting = new Map<number, Waiting>();
    #calls = 0;

    constructor(module: WebAssembly.Module) {
        this.#worker = new Worker(new URL("./core.worker.ts", import.meta.url), { type: "module" });
        this.#worker.addEventListener("message", ({ data }: MessageEvent<GameReply>) => this.#receive(data));
        this.#worker.addEventListener("error", ({ message }) => this.#fail(message));
        this.#worker.postMessage({ module });
    }

    /** Calls a method of the game. Calls are executed in order. Rejects if the method or the worker fails. */
    call<Method extends GameMethod>(
        method: Method,
        ...values: Parameters<LocalGame[Method]>
    ): Promise<ReturnType<LocalGame[Method]>> {
        const id = ++this.#calls;
        return new Promise((resolve, reject) => {
            this.#waiting.set(id, { resolve, reject });
            this.#worker.postMessage({ id, method, values } satisfies GameCall);
        });
    }

    /** Terminates the worker and rejects all pending calls. */
    close(): void {
        this.#worker.terminate();
        this.#fail("the game is closed");
    }

    #receive(reply: GameReply): void {
        const waiting = this.#waiting.get(reply.id);
        this.#waiting.delete(reply.id);
        if ("error" in reply) waiting?.reject(new Error(reply.error));
        else waiting?.resolve(reply.result as never);
    }

    #fail(reason: string): void {
        for (const { reject } of this.#waiting.values()) reject(new Error(reason));
        this.#waiting.clear();
    }
}
