/** The account pages. They are small and share much of their code, so they form one chunk. */
export { default as AccountPage } from "./account/AccountPage.svelte";
export { default as ResetPage } from "./account/ResetPage.svelte";
export { default as AdminPage } from "./admin/AdminPage.svelte";
