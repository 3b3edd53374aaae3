/** The Svelte components of the board, and the stage that plays effects on them. */
export { default as Board } from "./Board.svelte";
export { default as Drawing } from "./Drawing.svelte";
export { Stage } from "./stage.svelte";
export { default as Supply } from "./Supply.svelte";
export { default as Tile } from "./Tile.svelte";
