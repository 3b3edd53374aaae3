/** Everything that is about playing with others, which nobody fetches who does not. */
export { default as AccountPage } from "../account/AccountPage.svelte";
export { default as ResetPage } from "../account/ResetPage.svelte";
export { default as AdminPage } from "../admin/AdminPage.svelte";
export { default as JoinPage } from "../lobby/JoinPage.svelte";
export { default as LobbyPage } from "../lobby/LobbyPage.svelte";
export { default as LeadersPage } from "../player/LeadersPage.svelte";
export { default as PlayerPage } from "../player/PlayerPage.svelte";
export { default as Chat } from "./Chat.svelte";
export { default as Fairness } from "./Fairness.svelte";
export { default as Offers } from "./Offers.svelte";
export { default as Rematch } from "./Rematch.svelte";
export { default as SeatsBar } from "./Seats.svelte";
export { default as Wishes } from "./Wishes.svelte";
