/** Loads and runs what only online games need: their components, offers, rematches and sealed draws. */
import { untrack } from "svelte";

import type { GameView, TribeName } from "../../lib/client";
import { withMessages } from "../../lib/i18n";
import { reportProblem } from "../../lib/problems";
import type { OfferWatch } from "./offerWatch";
import onlineMessages from "./onlineChunk?messages";
import type { RematchOffer } from "./rematch.svelte";
import type { SealedDraws } from "./sealedDraws.svelte";
import type { OnlineTable } from "./table.svelte";

/** The visit to a game page that the parts belong to. */
export interface OnlineVisit {
    readonly id: string;
    readonly table: OnlineTable | null;
    readonly played: { readonly game: GameView | null };
    /** The tribes of this player in an online game; `null` in other games. */
    readonly mine: readonly TribeName[] | null;
    readonly isOver: boolean;
    readonly isSealed: boolean;
}

export class OnlineParts {
    /** The components. */
    components = $state.raw<typeof import("./onlineChunk") | null>(null);
    /** Reveals this player's hash-chain links; `null` if draws are not sealed or the player is only watching. */
    sealed = $state.raw<SealedDraws | null>(null);
    /** The rematch with the same player, available once this game is over. */
    rematchOffer = $state.raw<RematchOffer | null>(null);

    /** Create this during component initialisation; it is destroyed with the component. */
    constructor(visit: OnlineVisit) {
        this.#follow(visit);
        this.#followSealedDraws(visit);
    }

    #follow(visit: OnlineVisit): void {
        const isOnline = $derived(visit.played.game?.kind === "online");
        $effect(() => {
            if (!isOnline) return;
            withMessages(onlineMessages, () => import("./onlineChunk")).then(
                (parts) => (this.components = parts),
                reportProblem,
            );
        });
        const plays = $derived(Boolean(visit.mine?.length));
        let watch: OfferWatch | undefined;
        $effect(() => {
            const { components } = this;
            const { mine, table } = visit;
            const { game } = visit.played;
            if (!components || !mine || !table || !game || !plays) return;
            untrack(() => (watch ??= new components.OfferWatch(table)).see(game, mine));
        });
        $effect(() => {
            if (!this.components || !visit.isOver || !plays) return;
            const offer = new this.components.RematchOffer(visit.id, visit.isSealed);
            this.rematchOffer = offer;
            return () => {
                offer.stop();
                this.rematchOffer = null;
            };
        });
        $effect(() => {
            void visit.table?.rematch;
            const offer = this.rematchOffer;
            if (offer) untrack(() => void offer.look());
        });
    }

    #followSealedDraws(visit: OnlineVisit): void {
        const { table } = visit;
        const reveals = $derived(visit.isSealed && !visit.isOver && Boolean(visit.mine?.length));
        $effect(() => {
            if (!reveals || !table) return;
            return () => {
                this.sealed?.stop();
                this.sealed = null;
            };
        });
        const ended = $derived(visit.isSealed && visit.isOver && Boolean(visit.mine?.length));
        $effect(() => {
            // If the script cannot be loaded, the root is only kept longer.
            if (ended)
                import("../../lib/sealed/roots").then(
                    ({ endRoots }) => endRoots(visit.id),
                    () => undefined,
                );
        });
        let loading = false;
        $effect(() => {
            const { game } = visit.played;
            const tribe = visit.mine?.[0];
            if (!reveals || !table || !game || !tribe) return;
            if (this.sealed) {
                const { sealed } = this;
                untrack(() => sealed.follow(game, tribe));
            } else if (!loading) {
                loading = true;
                // If the script cannot be loaded, it is requested again the next time the game changes.
                import("./sealedDraws.svelte")
                    .then(({ SealedDraws }) => (this.sealed = new SealedDraws(table.channel)), reportProblem)
                    .finally(() => (loading = false));
            }
        });
    }
}
