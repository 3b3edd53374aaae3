/** The visitor's identity on the server. Reactive; refreshed whenever it may have changed. */
import { accounts, type Me } from "./account";

const NOBODY: Me = { player: null, admin: false, muted: false };

let current = $state.raw<Me>(NOBODY);
let known = $state(false);

export const me = {
    get player(): Me["player"] {
        return current.player;
    },
    /** The name of the account; `null` for guests and for unknown visitors. */
    get name(): string | null {
        return current.player?.kind === "account" ? current.player.name : null;
    },
    get admin(): boolean {
        return current.admin;
    },
    get muted(): boolean {
        return current.muted;
    },
    /** Whether the server has answered yet. */
    get known(): boolean {
        return known;
    },
    set(next: Me | null): void {
        current = next ?? NOBODY;
        known = true;
    },
    /** Ask the server who the visitor is. If it does not answer, keep the current identity. */
    async refresh(): Promise<void> {
        try {
            me.set(await accounts.me());
        } catch {
            // The banner reports the failure.
        }
    },
};
