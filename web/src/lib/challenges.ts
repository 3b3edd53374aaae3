/** Creates and accepts challenges. Our random number is generated only after the server's commitment has arrived. */
import { ApiProblem } from "./client";
import { online, type ChallengeView, type NewChallenge } from "./online";
import { changeSeat, keepSeat, newNumber, seatOf, type HeldSeat } from "./seats";
import { me } from "./me.svelte";

/** Statuses that prove that the server does not have our number. Status 429 does not prove this, because an earlier
 *  request may have delivered the number. */
const REFUSED: ReadonlySet<number> = new Set([403, 404, 409]);

/** Create a challenge and add our number to it. */
export async function challenge(request: NewChallenge): Promise<{ view: ChallengeView; invite: string }> {
    if (request.sealed) (await import("./sealed/anchor")).requireStorage();
    return made(await online.create(request));
}

/** Offer a rematch after a finished game. Pass `sealed` if the game had sealed draws; the rematch then has them too. */
export async function rematch(game: string, sealed: boolean): Promise<ChallengeView> {
    if (sealed) (await import("./sealed/anchor")).requireStorage();
    return (await made(await online.rematch(game, seatOf(game)?.token ?? null))).view;
}

async function made(
    answer: Awaited<ReturnType<typeof online.create>>,
): Promise<{ view: ChallengeView; invite: string }> {
    const { challenge, invite, seat } = answer;
    keepSeat(challenge.id, { token: seat, commitment: challenge.commitment, number: "", invite, waiting: true });
    const view = await addNumber(challenge);
    if (!me.player) void me.refresh(); // a visitor who had no session is now a guest
    return { view, invite };
}

/** Withdraw our own challenge, or decline one that was sent to us. */
export async function withdraw(id: string): Promise<void> {
    await online.withdraw(id);
    changeSeat(id, { waiting: false });
    if (!seatOf(id)?.agreed?.sealed) return;
    // If the script cannot be loaded, the root stays in the browser, where it does no harm.
    await import("./sealed/roots").then(
        ({ forgetRoots }) => forgetRoots(id),
        () => undefined,
    );
}

/** Add our number to a challenge that we created without one. */
export function addNumber(challenge: ChallengeView): Promise<ChallengeView> {
    return withNumber(challenge, true, (number) => online.addNumber(challenge.id, number, challenge.sealed));
}

/** Send our number, and keep it unless the server has refused it. With sealed draws, the number is our anchor. */
async function withNumber<Answer>(
    challenge: ChallengeView,
    made: boolean,
    send: (number: string, isNew: boolean) => Promise<Answer>,
): Promise<Answer> {
    const { id, commitment } = challenge;
    const anchor = challenge.sealed ? (await import("./sealed/anchor")).anchorFor(challenge, made) : null;
    const held = seatOf(id);
    // A number that we sent earlier may have reached the server, which accepts only the first number.
    const before = held?.commitment === commitment && held.number;
    const number = anchor ?? (before || newNumber());
    // Store the number before sending it, so that it survives a reload or a lost response.
    const seat = { token: null, ...held, commitment, number, agreed: agreed(challenge, made) };
    keepSeat(id, { ...seat, waiting: made, unanswered: true });
    try {
        const answer = await send(number, number !== before);
        changeSeat(id, { unanswered: false });
        return answer;
    } catch (problem) {
        if (problem instanceof ApiProblem && REFUSED.has(problem.status)) changeSeat(id, { number: "" });
        throw problem;
    }
}

/** The terms that the game has to match. */
function agreed({ tribe, first, sealed }: ChallengeView, made: boolean): HeldSeat["agreed"] {
    return { made, tossed: tribe === null, first, sealed };
}

/** Accept a challenge. Resolves to the id of the game, which starts immediately. */
export async function accept(challenge: ChallengeView, invite: string | null): Promise<string> {
    const { id } = challenge;
    await withNumber(challenge, false, async (number, isNew) => {
        const { seat } = await online.accept(id, number, invite, challenge.sealed);
        if (seat) changeSeat(id, { token: seat });
        // The challenge was already accepted in another tab, so the game uses the number sent from there.
        else if (isNew) changeSeat(id, { number: "" });
    });
    if (!me.player) void me.refresh();
    return id;
}
