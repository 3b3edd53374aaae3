/** The cards. The play page loads them once the board stands. */
export { explain, explanationText, optionsOf } from "./explanation";
export { default as Explain } from "./Explain.svelte";
export { default as OptionCards } from "./OptionCards.svelte";
