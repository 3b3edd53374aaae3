/** Help in games against the computer, loaded after the board. Online games do not need it. */
export { Help } from "./help.svelte";
export { default as HelpBar } from "./HelpBar.svelte";
