import { t } from "../../lib/i18n";
import { dismiss, notify } from "../../lib/notices.svelte";
import { localStore } from "../../lib/storage";

const KEY = "cairn.goal-told";

/** Explain the goal in a visitor's first game, except on a wide screen, which always shows it next to the board. */
export function tellGoalOnce(): void {
    if (localStore.getItem(KEY) || window.matchMedia?.("(min-aspect-ratio: 1/1)").matches) return;
    localStore.setItem(KEY, "yes");
    const id = notify({ kind: "info", text: t("play.goal") }, 15);
    window.addEventListener("click", () => dismiss(id), { capture: true, once: true });
}
