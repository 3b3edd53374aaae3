import { t } from "../../lib/i18n";
import { dismiss, notify } from "../../lib/notices.svelte";

const KEY = "cairn.goal-told";

/**
 * In somebody's first game say what it is about, until something is pressed; where there is room, it stands beside the
 * board anyway.
 */
export function tellGoalOnce(): void {
    if (localStorage.getItem(KEY) || window.matchMedia?.("(min-aspect-ratio: 1/1)").matches) return;
    localStorage.setItem(KEY, "yes");
    const id = notify({ kind: "info", text: t("play.goal") }, 15);
    window.addEventListener("click", () => dismiss(id), { capture: true, once: true });
}
