/** A core in a worker, shared by all lessons during a visit to the tutorial. */
import type { Line } from "../../lib/client";
import { accepted, startCore, type DeviceCore } from "../../lib/device/core";

/** Play tokens from a position. Rejects with an `ApiProblem` if the core cannot be loaded or refuses a token. */
export type Study = (position: string, tokens: readonly string[]) => Promise<Line>;

export class LessonCore {
    #starting: Promise<DeviceCore> | null = null;

    readonly study: Study = async (position, tokens) => {
        this.#starting ??= startCore().catch((problem: unknown) => {
            this.#starting = null; // so that the next call tries again
            throw problem;
        });
        const { client } = await this.#starting;
        return accepted(await client.call("study", position, [...tokens]));
    };

    close(): void {
        this.#starting?.then(
            ({ client }) => client.close(),
            () => undefined,
        );
        this.#starting = null;
    }
}
