/** How a game between two browsers comes about. The number of one's own is made when the commitment has been seen. */
import { ApiProblem } from "./client";
import { online, type ChallengeView, type NewChallenge } from "./online";
import { changeSeat, keepSeat, newNumber, seatOf, type HeldSeat } from "./seats";
import { me } from "./me.svelte";

/** Answers by which a number was not taken, now or before. Whoever asks too often (429) may have been heard before. */
const REFUSED: ReadonlySet<number> = new Set([403, 404, 409]);

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
export function addNumber(challenge: ChallengeView): Promise<ChallengeView> {
    return withNumber(challenge, true, (number) => online.addNumber(challenge.id, number));
}

/** Send our number, and keep it as long as it may be the one that the game has. */
async function withNumber<Answer>(
    challenge: ChallengeView,
    made: boolean,
    send: (number: string, isNew: boolean) => Promise<Answer>,
): Promise<Answer> {
    const { id, commitment } = challenge;
    const held = seatOf(id);
    // One that was sent before may have arrived, and then no other counts.
    const before = held?.commitment === commitment && held.number;
    const number = before || newNumber();
    // Kept before it is sent, so that neither a reload nor a lost answer loses it.
    const seat = { token: null, ...held, commitment, number, agreed: agreed(challenge, made) };
    keepSeat(id, { ...seat, waiting: made, unanswered: true });
    try {
        const answer = await send(number, !before);
        changeSeat(id, { unanswered: false });
        return answer;
    } catch (problem) {
        if (problem instanceof ApiProblem && REFUSED.has(problem.status)) changeSeat(id, { number: "" });
        throw problem;
    }
}

/** What the game will have to keep to. */
function agreed({ tribe, first }: ChallengeView, made: boolean): HeldSeat["agreed"] {
    return { made, tossed: tribe === null, first };
}

/** Accept a challenge: the id of the game, which begins at once. */
export async function accept(challenge: ChallengeView, invite: string | null): Promise<string> {
    const { id } = challenge;
    await withNumber(challenge, false, async (number, isNew) => {
        const { seat } = await online.accept(id, number, invite);
        if (seat) changeSeat(id, { token: seat });
        // Accepted before, from elsewhere: the game has the number that was sent then.
        else if (isNew) changeSeat(id, { number: "" });
    });
    if (!me.player) void me.refresh();
    return id;
}
