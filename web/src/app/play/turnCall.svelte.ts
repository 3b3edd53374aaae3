/** Marks the tab and plays a sound when this player has to decide. */
import { untrack } from "svelte";

import { attention } from "../../lib/attention.svelte";
import { sound } from "../../lib/sound";
import type { PlayedGame } from "./playedGame.svelte";

/**
 * Call this during component initialisation. `opponent` says whether the opponent is a remote person or the computer.
 * There is no alert if both players are at this screen.
 */
export function callOnTurn(played: PlayedGame, opponent: () => { online: boolean; computer: boolean }): void {
    const turn = $derived.by(() => {
        const { sync, isLive } = played;
        const { online, computer } = opponent();
        return sync.asked && isLive && !sync.moment?.outcome && (online || computer);
    });
    let before: boolean | null = null;
    $effect(() => {
        if (!played.game) return;
        attention.setAtTable(turn);
        // The computer answers at once, so the sound is useful only if the player is not looking.
        const audible = turn && before === false && untrack(() => opponent().online || document.hidden);
        if (audible) untrack(() => sound("turn"));
        before = turn;
    });
    $effect(() => () => attention.setAtTable(false));
}
