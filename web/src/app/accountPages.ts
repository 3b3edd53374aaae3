/** The pages about accounts. They are small and share much, so they are one chunk. */
export { default as AccountPage } from "./account/AccountPage.svelte";
export { default as ResetPage } from "./account/ResetPage.svelte";
export { default as AdminPage } from "./admin/AdminPage.svelte";
