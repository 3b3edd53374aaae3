/** How a game between two browsers comes about. The number of one's own is made when the commitment has been seen. */
import { online, type ChallengeView, type NewChallenge } from "../../lib/online";
import { keepSeat, newNumber, seatOf, type HeldSeat } from "../../lib/seats";
import { me } from "../../lib/me.svelte";

/** Make a challenge, and add a number to it. */
export async function challenge(wish: NewChallenge): Promise<{ view: ChallengeView; invite: string }> {
    return made(await online.create(wish));
}

/** Offer another game after one that is over. */
export async function rematch(game: string): Promise<ChallengeView> {
    return (await made(await online.rematch(game, seatOf(game)?.token ?? null))).view;
}

async function made(
    answer: Awaited<ReturnType<typeof online.create>>,
): Promise<{ view: ChallengeView; invite: string }> {
    const { challenge, invite, seat } = answer;
    keepSeat(challenge.id, { token: seat, commitment: challenge.commitment, number: "", invite, waiting: true });
    const view = await addNumber(challenge);
    if (!me.player) void me.refresh(); // whoever was nobody is a guest now
    return { view, invite };
}

/** Add our number to a challenge of ours that has none yet. */
export async function addNumber(challenge: ChallengeView): Promise<ChallengeView> {
    const held = seatOf(challenge.id);
    const number = newNumber();
    // Kept before it is sent, so that a reload in between does not lose it.
    const seat = { token: null, ...held, waiting: true, number };
    keepSeat(challenge.id, { ...seat, commitment: challenge.commitment, agreed: agreed(challenge, true) });
    return online.addNumber(challenge.id, number);
}

/** What the game will have to keep to. */
function agreed({ tribe, first }: ChallengeView, made: boolean): HeldSeat["agreed"] {
    return { made, tossed: tribe === null, first };
}

/** Accept a challenge: the id of the game, which begins at once. */
export async function accept(challenge: ChallengeView, invite: string | null): Promise<string> {
    const number = newNumber();
    const begun = await online.accept(challenge.id, number, invite);
    const { commitment } = challenge;
    keepSeat(begun.game.id, { token: begun.seat, commitment, number, agreed: agreed(challenge, false) });
    if (!me.player) void me.refresh();
    return begun.game.id;
}
