/** Texts about players, clocks and challenges. */
import { t } from "../../lib/i18n";
import { levelName } from "../../lib/levels";
import type { Control, SeatPlayer } from "../../lib/online";
import { href } from "../../lib/router.svelte";

type Named = Pick<SeatPlayer, "id" | "kind" | "name">;

/** The display name of a player: a name, "guest", "deleted player", or the computer's level. */
export function displayName({ id, kind, name }: Named): string {
    if (kind === "level") {
        const level = Number(id.replace("level-", ""));
        return t("games.seat.computer", { level, name: levelName(level) });
    }
    return name ?? (kind === "deleted" ? t("online.deleted") : t("online.guest"));
}

/** The URL of a player's profile; `null` for a deleted player. */
export function profileOf({ id, kind, name }: Named): string | null {
    return kind === "deleted" ? null : href(`/player/${encodeURIComponent(name ?? id)}`);
}

/** The rating, with a question mark while it is provisional. */
export function ratingText({ rating, provisional }: Pick<SeatPlayer, "rating" | "provisional">): string {
    return rating === null ? "" : `${rating}${provisional ? "?" : ""}`;
}

/** A time control as text: "5 min + 8 s", "3 days a turn" or "No clock". */
export function controlText(control: Control | null | undefined): string {
    if (!control) return t("online.clock.none");
    if (control.kind === "correspondence") return t("online.clock.days", { n: control.days });
    const minutes = control.initial / 60_000;
    return t("online.clock.real", { minutes: Math.round(minutes * 10) / 10, seconds: control.increment / 1000 });
}
