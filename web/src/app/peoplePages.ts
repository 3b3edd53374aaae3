/** The pages about other players. They are small and share much of their code, so they form one chunk. */
export { default as JoinPage } from "./lobby/JoinPage.svelte";
export { default as LobbyPage } from "./lobby/LobbyPage.svelte";
export { default as LeadersPage } from "./player/LeadersPage.svelte";
export { default as PlayerPage } from "./player/PlayerPage.svelte";
