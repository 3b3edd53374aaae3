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
            if (!closed) follower.problem(asProblem(problem));
        });
        return () => {
            closed = true;
        };
    }

    async #show(follower: GameFollower, isClosed: () => boolean): Promise<void> {
        const { viewRecord } = await import("../device").catch(missingScript);
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
        const { unpack } = await import("./packedRecord").catch(missingScript);
        return unpack(this.#packed);
    }
}

/** Only a refusal says something about the record in the link. After any other problem, a retry may help. */
function asProblem(problem: unknown): ApiProblem {
    if (!(problem instanceof ApiProblem)) {
        console.error(problem);
        return new ApiProblem("unexpected", String(problem));
    }
    return problem.isRefusal ? new ApiProblem("broken-link", problem.message, 404) : problem;
}

function missingScript(error: unknown): never {
    throw new ApiProblem("core-missing", `A script could not be loaded: ${String(error)}`);
}

function refuse(): Promise<never> {
    return Promise.reject(new ApiProblem("not-your-seat", "A game from a link can only be watched.", 403));
}
