/**
 * Whether the visitor has to play somewhere, for the title and the icon of the tab. The play page reports its own game;
 * the bar with the running games reports the others.
 */
let atTable = $state(false);
let elsewhere = $state(0);

export const attention = {
    /** The number of games that wait for the visitor. Reactive. */
    get turns(): number {
        return elsewhere + (atTable ? 1 : 0);
    },
    /** Whether the game on the screen waits for the visitor, and the opponent is not at this screen. */
    setAtTable(turn: boolean): void {
        atTable = turn;
    },
    /** How many online games that are not on the screen wait for the visitor. */
    setElsewhere(turns: number): void {
        elsewhere = turns;
    },
};
