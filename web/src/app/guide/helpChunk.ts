/** The help in games against the computer, loaded after the first board. Online games do not need it. */
export { Help } from "./help.svelte";
export { default as HelpBar } from "./HelpBar.svelte";
