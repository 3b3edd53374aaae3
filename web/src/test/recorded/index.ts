/** Server responses for tests, recorded by the scripts in this folder. */
import type { GameView, Moment, Step, Update } from "../../lib/client";
import effects from "./effects.jsonl?raw";
import asked from "./moments.jsonl?raw";
import session from "./session.jsonl?raw";

function read<Content>(text: string): Record<string, Content> {
    return Object.fromEntries(
        text
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line) as [string, Content]),
    );
}

/** One moment for each kind of decision. */
export const moments = read<Moment>(asked);

export function momentOf(kind: string): Moment {
    const found = moments[kind];
    if (!found) throw new Error(`no moment was recorded for ${kind}`);
    return found;
}

/** One turn for each kind of effect. */
export const turns = read<Step[]>(effects);

const sessions = read<unknown>(session);

/** Two players at one screen: a chain of three tokens, then an undo of one step and an undo of the turn. */
export const chain = sessions.chain as [GameView, Update, Update, Update, Update, Update];

/** Against the computer: a held turn that is confirmed, and the game after the computer's turn. */
export const held = sessions.held as [GameView, Update, Update, GameView];
