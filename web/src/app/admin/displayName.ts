import type { PlayerView } from "../../lib/account";
import { t } from "../../lib/i18n";

/** The name of a player or, for a guest, the first characters of the id. */
export function displayName(player: PlayerView): string {
    return player.name ?? t("account.admin.guest", { id: player.id.slice(0, 8) });
}
