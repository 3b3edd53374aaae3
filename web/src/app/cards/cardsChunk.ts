/** The cards, which the play page loads once the board is visible. */
export { explain, explanationText, optionsOf } from "./explanation";
export { default as Explain } from "./Explain.svelte";
export { default as OptionCards } from "./OptionCards.svelte";
