/** A game from a link. It can be watched but not played. */
import { ApiProblem } from "../client";
import type { GameFollower, GameSource } from "./source";

export class LinkedGameSource implements GameSource {
    readonly id: string;
    readonly table = null;
    readonly takeOver = null;
    readonly #packed: string;

    constructor(id: string, packed: string) {
        this.id = id;
        this.#packed = packed;
    }

    follow(follower: GameFollower): () => void {
        let closed = false;
        follower.connection("watching");
        this.#show(follower, () => closed).catch((problem: unknown) => {
            if (closed) return;
            const missing = problem instanceof ApiProblem && problem.kind === "core-missing";
            follower.problem(missing ? problem : new ApiProblem("broken-link", String(problem), 404));
        });
        return () => {
            closed = true;
        };
    }

    async #show(follower: GameFollower, isClosed: () => boolean): Promise<void> {
        const { viewRecord } = await import("../device");
        const view = await viewRecord(await this.record(), this.id);
        if (!isClosed()) follower.game(view);
    }

    readonly play = refuse;
    readonly undo = refuse;
    readonly confirm = refuse;

    async refresh(): Promise<void> {
        // The game never changes.
    }

    async record(): Promise<string> {
        const { unpack } = await import("./packedRecord");
        return unpack(this.#packed);
    }
}

function refuse(): Promise<never> {
    return Promise.reject(new ApiProblem("not-your-seat", "A game from a link can only be watched.", 403));
}
