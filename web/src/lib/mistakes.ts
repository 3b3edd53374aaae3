/** The player's own mistakes, from the reviews of their games. They are stored on this device only. */
import type { Review } from "../../core/core";
import type { GameSummary, TribeName } from "./client";
import { finishedGames } from "./games";
import { persons } from "./people";
import { keepReview, keptReview, keptReviews, type KeptReview, type Mistake } from "./reviewStore";

/** The steps of a review that were mistakes or blunders of a tribe, as indices. */
export function mistakesOf({ steps }: Review, tribe: TribeName): number[] {
    return steps.flatMap(({ decider, mark }, index) =>
        decider === tribe && (mark === "mistake" || mark === "blunder") ? [index] : [],
    );
}

/** The tribes of the player in one of their own games: in a game on one screen, those of all people. */
function ownTribes({ kind, you, seats }: GameSummary): readonly TribeName[] {
    return kind === "online" ? you : persons(seats);
}

/** The finished games in which the player had a seat, the latest first. Games that cannot be read now are left out. */
async function ownGames(): Promise<GameSummary[]> {
    const { games } = await finishedGames();
    return games
        .filter((game) => ownTribes(game).length > 0)
        .sort((one, other) => other.changed.localeCompare(one.changed));
}

/** The findings of an earlier review of the same record; `null` if there is none. */
export async function knownFindings(id: string, record: string): Promise<readonly string[] | null> {
    const kept = await keptReview(id);
    return kept?.record === record ? kept.findings : null;
}

/** Keep the review of a game, if it is one of the player's own. */
export async function keepMistakes(
    id: string,
    record: string,
    findings: readonly string[],
    review: Review,
): Promise<void> {
    const game = (await ownGames()).find((each) => each.id === id);
    if (!game) return;
    const mistakes = ownTribes(game)
        .flatMap((tribe) => mistakesOf(review, tribe))
        .sort((one, other) => one - other)
        .flatMap((index): Mistake[] => {
            const step = review.steps[index];
            if (!step || step.decider === "chance") return [];
            const { decider: tribe, turn, loss } = step;
            return [{ index, tribe, turn, loss, learnt: false, failed: 0 }];
        });
    await keepReview({ id, record, findings: [...findings], played: game.changed, mistakes });
}

/** A mistake to learn from, and the review of its game. */
export interface Lesson {
    readonly review: KeptReview;
    readonly mistake: Mistake;
}

/** The mistakes that are not learnt yet: first those tried least often, then those of the latest games. */
export function lessonsIn(reviews: readonly KeptReview[]): Lesson[] {
    return reviews
        .flatMap((review) => review.mistakes.map((mistake) => ({ review, mistake })))
        .filter(({ mistake }) => !mistake.learnt)
        .sort(
            (one, other) =>
                one.mistake.failed - other.mistake.failed ||
                other.review.played.localeCompare(one.review.played) ||
                one.mistake.index - other.mistake.index,
        );
}

export interface Lessons {
    readonly open: readonly Lesson[];
    /** How many mistakes have been learnt. */
    readonly learnt: number;
    /** The player's finished games that have not been reviewed yet, the latest first. */
    readonly unreviewed: readonly GameSummary[];
}

export async function lessons(): Promise<Lessons> {
    const [reviews, games] = await Promise.all([keptReviews(), ownGames()]);
    const reviewed = new Set(reviews.map(({ id }) => id));
    return {
        open: lessonsIn(reviews),
        learnt: reviews.flatMap(({ mistakes }) => mistakes).filter(({ learnt }) => learnt).length,
        unreviewed: games.filter(({ id }) => !reviewed.has(id)),
    };
}
