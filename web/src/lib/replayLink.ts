/** Copies a link that replays a game from the start. */
import { copyText } from "./clipboard";
import { t } from "./i18n";
import { isOnDevice } from "./ids";
import { notify } from "./notices.svelte";
import { reportProblem } from "./problems";
import { shareAddress } from "./router.svelte";

/** The link for a game. A game on the server is linked by its id; a link to any other game contains the game itself. */
export async function replayLink(id: string, record: () => Promise<string>): Promise<string> {
    if (!isOnDevice(id)) return shareAddress(`/game/${encodeURIComponent(id)}?replay`);
    const { pack } = await import("./source/packedRecord");
    return shareAddress(`/replay#${await pack(await record())}`);
}

export async function copyReplayLink(id: string, record: () => Promise<string>): Promise<void> {
    try {
        // Do not await the link: see copyText.
        if (await copyText(replayLink(id, record))) notify({ kind: "info", text: t("alerts.replay.copied") });
        else notify({ kind: "error", text: t("play.copy.failed") });
    } catch (problem) {
        reportProblem(problem);
    }
}
