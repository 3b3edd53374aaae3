/**
 * Tracks the games in which it is the visitor's turn, for the title and the icon of the tab. The play page reports its
 * own game; the bar of running games reports the others.
 */
let atTable = $state(false);
let elsewhere = $state(0);

export const attention = {
    /** The number of games that are waiting for the visitor. Reactive. */
    get turns(): number {
        return elsewhere + (atTable ? 1 : 0);
    },
    /** Set whether the game on the screen is waiting for the visitor and the opponent is not at this screen. */
    setAtTable(turn: boolean): void {
        atTable = turn;
    },
    /** Set how many other online games are waiting for the visitor. */
    setElsewhere(turns: number): void {
        elsewhere = turns;
    },
};
