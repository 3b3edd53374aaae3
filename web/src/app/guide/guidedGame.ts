/** What the guide needs to know about a game on the play page. */
import type { Scene } from "@cairn/board/scene";

import type { GameView, Moment, Step, TribeName } from "../../lib/client";

export interface GuidedGame {
    readonly game: GameView | null;
    /** Whether a player at this screen can pick something now. */
    readonly open: boolean;
    /** Whether the board shows the current state of the game. */
    readonly isLive: boolean;
    readonly sync: {
        readonly moment: Moment | null;
        readonly steps: readonly Step[];
        /** The tribes played by people at this screen. */
        readonly mine: readonly TribeName[];
        /** Whether one of these tribes has to decide now. */
        readonly asked: boolean;
        /** The position after `count` steps. */
        positionAt(count: number): string;
    };
    readonly playback: { readonly scene: Scene | null };
    readonly selection: { readonly picks: readonly string[] };
}
