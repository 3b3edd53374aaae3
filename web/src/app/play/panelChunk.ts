/** The list of moves and what belongs to it, as one chunk. It is loaded once the board is visible. */
export { default as Keys } from "./Keys.svelte";
export { default as MoveList } from "./MoveList.svelte";
export { default as Replay } from "./Replay.svelte";
export { analysisAddress, copyPositionLink, copyRecord } from "./share";
