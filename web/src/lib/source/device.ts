/** A game for which this device is the authority. The code for device games is loaded when `follow` is called. */
import { ApiProblem } from "../client";
import type { DeviceTable } from "../device";
import type { GameFollower, GameSource, TokenToPlay } from "./source";

export class DeviceGameSource implements GameSource {
    readonly id: string;
    readonly table = null;
    #opening: Promise<DeviceTable> | null = null;

    constructor(id: string) {
        this.id = id;
    }

    follow(follower: GameFollower): () => void {
        let closed = false;
        follower.connection("connecting");
        const opening = this.#open({
            game: (game) => !closed && follower.game(game),
            connection: (state) => !closed && follower.connection(state),
            problem: (problem) => !closed && follower.problem(problem),
            failed: (problem) => !closed && follower.failed(problem),
        });
        this.#opening = opening;
        opening.catch((problem: unknown) => {
            if (!closed) follower.problem(problem instanceof ApiProblem ? problem : unexpected(problem));
        });
        return () => {
            closed = true;
            opening.then((table) => table.close()).catch(() => undefined);
        };
    }

    async play(token: TokenToPlay): Promise<void> {
        await (await this.#table()).play(token);
    }

    async undo(revision: number, scope: "step" | "turn"): Promise<void> {
        await (await this.#table()).undo(revision, scope);
    }

    async confirm(revision: number): Promise<void> {
        await (await this.#table()).confirm(revision);
    }

    async refresh(): Promise<void> {
        await (await this.#table()).refresh();
    }

    async record(): Promise<string> {
        return (await this.#table()).record();
    }

    readonly takeOver = (): void => {
        void this.#table().then((table) => table.takeOver());
    };

    async #open(follower: GameFollower): Promise<DeviceTable> {
        const { DeviceTable } = await import("../device");
        return DeviceTable.open(this.id, {
            game: follower.game,
            role: (role) => follower.connection(role === "writing" ? "connected" : role),
            gone: follower.problem,
            failed: follower.failed,
        });
    }

    #table(): Promise<DeviceTable> {
        return this.#opening ?? Promise.reject(new Error("call follow before sending commands"));
    }
}

function unexpected(error: unknown): ApiProblem {
    console.error(error);
    return new ApiProblem("unexpected", String(error));
}
