/** Marks the tab and plays a sound when this player has to decide. */
import { untrack } from "svelte";

import { attention } from "../../lib/attention.svelte";
import { sound } from "../../lib/sound";
import type { PlayedGame } from "./playedGame.svelte";

/**
 * Call during component initialisation. `opponent` says whether the opponent is another person elsewhere, or the
 * computer. Nobody is called if both players are at this screen.
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
        const heard = turn && before === false && untrack(() => opponent().online || document.hidden);
        if (heard) untrack(() => sound("turn"));
        before = turn;
    });
    $effect(() => () => attention.setAtTable(false));
}
