/** Notifies the player how their offer ended. */
import type { GameView, TribeName } from "../../lib/client";
import { t } from "../../lib/i18n";
import { notify } from "../../lib/notices.svelte";
import { sound } from "../../lib/sound";
import { offerEnd } from "./offers";
import type { OnlineTable } from "./table.svelte";

export class OfferWatch {
    readonly #table: OnlineTable;
    #before: GameView | null = null;

    constructor(table: OnlineTable) {
        this.#table = table;
    }

    /** Compare a new state of the game with the previous one. */
    see(game: GameView, mine: readonly TribeName[]): void {
        const end = this.#before && offerEnd(this.#before, game, mine);
        this.#before = game;
        if (!end) return;
        const withdrawn = this.#table.withdrawing;
        this.#table.withdrawing = false;
        if (withdrawn) return;
        const { what, how } = end;
        notify({
            kind: "info",
            text: how === "declined" ? t("alerts.declined", { what }) : t("alerts.lapsed", { what }),
        });
        sound("offer");
    }
}
