/** The pages about puzzles, in one chunk. */
export { default as PuzzlePage } from "./puzzles/PuzzlePage.svelte";
export { default as PuzzlesPage } from "./puzzles/PuzzlesPage.svelte";
