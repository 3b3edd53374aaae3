/** The parts of the play page that only online games need, as one chunk. */
export { default as Chat } from "./Chat.svelte";
export { default as Fairness } from "./Fairness.svelte";
export { default as GameActions } from "./GameActions.svelte";
export { OfferWatch } from "./offerWatch";
export { default as Offers } from "./Offers.svelte";
export { default as Rematch } from "./Rematch.svelte";
export { RematchOffer } from "./rematch.svelte";
export { default as SeatsBar } from "./Seats.svelte";
