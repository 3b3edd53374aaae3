import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { GameView } from "../../lib/client";
import { afterFirst, table } from "../../test/playedGame";
import { BoardView } from "./boardView.svelte";
import { Speech } from "./speech.svelte";
import { TurnStrip } from "./turnStrip.svelte";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A game with sealed draws in which a draw is waiting for these tribes. */
function waiting(revision: number, owed: GameView["now"]["owed"]): GameView {
    const now = { ...afterFirst.now, phase: "draw", decider: "chance", choices: [], owed };
    return {
        ...afterFirst,
        kind: "online",
        you: ["forest"],
        revision,
        now,
        proof: { version: 3 },
    } as unknown as GameView;
}

test("the prompt says who is delaying a sealed draw only if it takes longer than usual", async () => {
    const { played, say } = table();
    const speeches: Speech[] = [];
    const stop = $effect.root(
        () => void speeches.push(new Speech(played, new BoardView(played), new TurnStrip(played, () => 0))),
    );
    const [speech] = speeches;
    const after = async (milliseconds: number): Promise<string | undefined> => {
        flushSync();
        await vi.advanceTimersByTimeAsync(milliseconds);
        flushSync();
        return speech?.text;
    };
    say(waiting(5, ["forest", "sea"]));
    expect(await after(400)).toBe("A tile is being drawn…");
    expect(speech?.asked).toBe("");
    // One of the links has arrived, but the draw has been waiting since the first message.
    say(waiting(6, ["sea"]));
    expect(await after(200)).toBe("A tile is being drawn…");
    expect(await after(200)).toBe("The draw is waiting for the other player’s browser…");
    expect([speech?.asked, speech?.tribe]).toEqual(["The draw is waiting for the other player’s browser…", "sea"]);
    say(waiting(7, []));
    await after(0);
    say(waiting(8, ["sea"]));
    expect(await after(600)).toBe("A tile is being drawn…");
    stop();
});
