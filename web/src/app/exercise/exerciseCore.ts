/** A core in a worker, shared by all exercises during a visit to a page. */
import type { Line } from "../../lib/client";
import { accepted, SharedCore } from "../../lib/device/core";

/** Play tokens from a position. Rejects with an `ApiProblem` if the core cannot be loaded or refuses a token. */
export type Study = (position: string, tokens: readonly string[]) => Promise<Line>;

export class ExerciseCore {
    readonly shared = new SharedCore();

    readonly study: Study = (position, tokens) =>
        this.shared.use(async ({ client }) => accepted(await client.call("study", position, [...tokens])));

    close(): void {
        this.shared.close();
    }
}
