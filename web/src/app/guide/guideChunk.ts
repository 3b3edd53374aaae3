/** The tips of a first game, loaded after the first board. */
export { default as Tips } from "./Tips.svelte";
