import { t } from "../../lib/i18n";
import { notify } from "../../lib/notices.svelte";

const KEY = "cairn.goal-told";

/** Before somebody's first game say what it is about; where there is room, it stands beside the board anyway. */
export function tellGoalOnce(): void {
    if (localStorage.getItem(KEY) || window.matchMedia?.("(min-aspect-ratio: 1/1)").matches) return;
    localStorage.setItem(KEY, "yes");
    notify({ kind: "info", text: t("play.goal") }, 15);
}
