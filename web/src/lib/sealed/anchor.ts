/** Creates the anchor of a game with sealed draws, and stores its root before anything is sent to the server. */
import { ApiProblem } from "../client";
import type { ChallengeView } from "../online";
import { opponentOf } from "../people";
import { newNumber } from "../seats";
import { linkOf } from "./links";
import { canStore, keepRoot, rootFor } from "./roots";

/** Throw a problem if the browser cannot store the secret of a game with sealed draws. */
export function requireStorage(): void {
    if (!canStore()) throw unstored();
}

const unstored = (): ApiProblem =>
    new ApiProblem("sealed-storage", "The browser does not allow this page to store a secret.");

/** The anchor to add to a challenge. Its root has been stored when this function returns. */
export function anchorFor({ id, commitment, variant, tribe, first }: ChallengeView, made: boolean): string {
    // An anchor that we sent earlier may have reached the server, which accepts only the first one.
    const root = rootFor(id, commitment)?.root ?? newNumber();
    const anchor = linkOf(root, 0, id);
    const ours = tribe && (made ? tribe : opponentOf(tribe));
    const held = { game: id, root, commitment, variant, tribe: ours, first, made, created: Date.now() };
    if (!keepRoot(anchor, held)) throw unstored();
    askToPersist();
    return anchor;
}

/** Ask the browser not to evict the root when the device runs out of space. The browser may prompt the visitor. */
function askToPersist(): void {
    navigator.storage?.persist?.().catch(() => false);
}
