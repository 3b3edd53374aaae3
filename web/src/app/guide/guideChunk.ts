/** The tips for a first game, loaded after the board. */
export { default as Tips } from "./Tips.svelte";
