/** Handles a rematch with the same player: offers it, answers an offer, and opens the game when it starts. */
import { follow } from "../../lib/follow";
import { t } from "../../lib/i18n";
import { notify } from "../../lib/notices.svelte";
import { online, type ChallengeView } from "../../lib/online";
import { reportProblem } from "../../lib/problems";
import { navigate } from "../../lib/router.svelte";
import { changeSeat } from "../../lib/seats";
import { sound } from "../../lib/sound";
import { accept, rematch, withdraw } from "../../lib/challenges";

export class RematchOffer {
    readonly #game: string;
    #unfollow: (() => void) | undefined;
    #followed: string | undefined;

    /** The open offer. */
    challenge = $state.raw<ChallengeView | null>(null);
    busy = $state(false);

    /** `sealed` says whether the game, and therefore the rematch, has sealed draws. */
    constructor(
        game: string,
        readonly sealed: boolean,
    ) {
        this.#game = game;
    }

    /** Look for an open offer. */
    async look(): Promise<void> {
        try {
            const { challenges } = await online.rematches(this.#game);
            const open = challenges.find(({ state }) => state === "open");
            if (open) this.#set(open);
        } catch {
            // Without a response, assume that there is no offer.
        }
    }

    offer(): Promise<void> {
        return this.#do(async () => this.#set(await rematch(this.#game, this.sealed)));
    }

    accept(): Promise<void> {
        const { challenge } = this;
        return this.#do(async () => {
            if (challenge) this.#open(await accept(challenge, null));
        });
    }

    /** Decline the other player's offer, or withdraw your own. */
    decline(): Promise<void> {
        const { challenge } = this;
        return this.#do(async () => {
            if (challenge) {
                changeSeat(challenge.id, { waiting: false });
                await withdraw(challenge.id);
            }
            this.#set(null);
        });
    }

    stop(): void {
        this.#unfollow?.();
        this.#unfollow = undefined;
        this.#followed = undefined;
    }

    #set(challenge: ChallengeView | null): void {
        if (challenge?.game) {
            this.#open(challenge.game);
            return;
        }
        const before = this.challenge;
        this.challenge = challenge?.state === "open" ? challenge : null;
        if (before?.yours && challenge?.state === "withdrawn" && !this.busy) this.#reportDeclined(before.id);
        if (this.challenge && !this.challenge.yours && before?.id !== this.challenge.id) sound("offer");
        if (this.challenge?.id === this.#followed) return;
        this.stop();
        this.#followed = this.challenge?.id;
        if (this.#followed)
            this.#unfollow = follow<{ challenge: ChallengeView }>(
                `/challenges/${encodeURIComponent(this.#followed)}/socket`,
                (message) => this.#set(message.challenge),
            );
    }

    #reportDeclined(id: string): void {
        changeSeat(id, { waiting: false });
        notify({ kind: "info", text: t("alerts.declined", { what: "rematch" }) });
    }

    /** Go to the new game immediately, because its clock is already running. */
    #open(game: string): void {
        this.stop();
        navigate(`/game/${game}`);
    }

    async #do(action: () => Promise<void>): Promise<void> {
        if (this.busy) return;
        this.busy = true;
        try {
            await action();
        } catch (problem) {
            reportProblem(problem);
        } finally {
            this.busy = false;
        }
    }
}
