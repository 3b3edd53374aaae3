/** What the server said once, recorded by the scripts beside this: for tests. */
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

/** A moment of every kind that somebody can be asked in. */
export const moments = read<Moment>(asked);

export function momentOf(kind: string): Moment {
    const found = moments[kind];
    if (!found) throw new Error(`no moment was recorded for ${kind}`);
    return found;
}

/** A turn with every kind of effect. */
export const turns = read<Step[]>(effects);

const sessions = read<unknown>(session);

/** A chain of two at one screen, played on three times, then taken back by a step and by a turn. */
export const chain = sessions.chain as [GameView, Update, Update, Update, Update, Update];

/** Against the computer: a turn that is held and confirmed, and the game after the computer's answer. */
export const held = sessions.held as [GameView, Update, Update, GameView];
