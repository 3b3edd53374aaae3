/** The visitor's identity on the server. Reactive. Call `refresh` whenever the identity may have changed. */
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
    /** Whether the identity is known yet. */
    get known(): boolean {
        return known;
    },
    set(next: Me | null): void {
        current = next ?? NOBODY;
        known = true;
    },
    /** Fetch the visitor's identity. If the server does not respond, keep the current identity. */
    async refresh(): Promise<void> {
        try {
            me.set(await accounts.me());
        } catch {
            // The connection banner reports the failure.
        }
    },
};
