/**
 * A quick game against anyone: accepts a matching challenge from the lobby, or opens one and waits. Two players who
 * search at the same time may both open one; the newer challenge is then withdrawn in favour of the older one. If a
 * newer challenge is not withdrawn, it was made in the lobby, and it is accepted after a short wait.
 */
import { accept, challenge, withdraw } from "../../lib/challenges";
import { ApiProblem } from "../../lib/client";
import { follow } from "../../lib/follow";
import { afterMessage, type LobbyMessage } from "../../lib/lobby";
import { online, type ChallengeView } from "../../lib/online";
import { reportProblem } from "../../lib/problems";
import { navigate } from "../../lib/router.svelte";
import { changeSeat } from "../../lib/seats";
import { settings, VARIANTS, type Variant } from "../../lib/settings.svelte";
import { sound } from "../../lib/sound";

/** The clock of a quick game. */
export const QUICK_CLOCK = { kind: "real-time", initial: 600_000, increment: 10_000 } as const;
/** The minimum initial time, in milliseconds. Less is too fast for somebody who did not choose the clock. */
const SHORTEST = 300_000;
/** The maximum age of a challenge, in milliseconds. An older one has probably been forgotten. */
const OLDEST = 30 * 60_000;
/** How long to give another quick-game player to accept our challenge, in milliseconds. */
const ACCEPT_TIME = 3_000;
/** Refusals that only mean that somebody else was faster. */
const GONE: ReadonlySet<string> = new Set(["challenge-gone", "unknown-challenge", "own-challenge", "not-ready"]);

/**
 * The challenges that a quick game accepts, best first: casual real-time games with the visitor's usual megaliths or
 * easier ones.
 */
export function quickMatches(challenges: readonly ChallengeView[], variant: Variant, now: number): ChallengeView[] {
    const harder = (one: ChallengeView): number => VARIANTS.indexOf(variant) - VARIANTS.indexOf(one.variant);
    return challenges
        .filter((one) => one.state === "open" && one.ready && !one.yours && !one.rated && !one.sealed && !one.refusal)
        .filter(({ clock }) => clock?.kind === "real-time" && clock.initial >= SHORTEST)
        .filter((one) => harder(one) >= 0 && now - Date.parse(one.created) < OLDEST)
        .sort((one, other) => harder(one) - harder(other) || Date.parse(one.created) - Date.parse(other.created));
}

class QuickGame {
    /** The visitor's own challenge, while nobody has accepted it. */
    waiting = $state.raw<ChallengeView | null>(null);
    busy = $state(false);
    #stops: (() => void)[] = [];

    readonly start = (): Promise<void> => this.#do(() => this.#find());

    readonly cancel = (): Promise<void> =>
        this.#do(async () => {
            if (await this.#withdraw()) this.#stop();
        });

    async #find(): Promise<void> {
        if (this.waiting) return;
        const { challenges } = await online.lobby();
        if (!(await this.#accept(challenges))) await this.#open();
    }

    /** Accept one of these challenges. Returns whether a game has started. */
    async #accept(challenges: readonly ChallengeView[]): Promise<boolean> {
        for (const each of quickMatches(challenges, settings.newGame.variant, Date.now())) {
            try {
                this.#begin(await accept(each, null));
                return true;
            } catch (problem) {
                if (!(problem instanceof ApiProblem) || !GONE.has(problem.kind)) throw problem;
            }
        }
        return false;
    }

    async #open(): Promise<void> {
        const { variant } = settings.newGame;
        const { view } = await challenge({ variant, tribe: null, clock: QUICK_CLOCK, rated: false, open: true });
        this.waiting = view;
        changeSeat(view.id, { waiting: false }); // followed here, and withdrawn when the page closes
        let timer: ReturnType<typeof setTimeout> | undefined;
        let listed: readonly ChallengeView[] = [];
        const leaves = (): void => withdrawOnLeaving(view.id);
        window.addEventListener("pagehide", leaves);
        this.#stops = [
            () => window.removeEventListener("pagehide", leaves),
            follow<{ challenge: ChallengeView }>(`/challenges/${encodeURIComponent(view.id)}/socket`, (message) => {
                if (message.challenge.game) this.#begin(message.challenge.game);
                else if (message.challenge.state !== "open") this.#stop();
            }),
            follow<LobbyMessage>("/lobby/socket", (message) => {
                listed = afterMessage(listed, message);
                clearTimeout(timer);
                timer = setTimeout(() => void this.#prefer(listed), ACCEPT_TIME);
                // The creator of an easier game cannot accept ours.
                const first = (one: ChallengeView): boolean => isOlder(one, view) || one.variant !== view.variant;
                void this.#prefer(listed.filter(first));
            }),
            () => clearTimeout(timer),
        ];
    }

    /** If one of these challenges matches, accept it instead of waiting. */
    async #prefer(listed: readonly ChallengeView[]): Promise<void> {
        if (quickMatches(listed, settings.newGame.variant, Date.now()).length === 0) return;
        await this.#do(async () => {
            // If our challenge has been accepted in the meantime, its socket reports it.
            if (!this.waiting || !(await this.#withdraw())) return;
            this.#stop();
            if (!(await this.#accept(listed))) await this.#open();
        });
    }

    /** Withdraw our challenge. Returns whether it was still open. */
    async #withdraw(): Promise<boolean> {
        const own = this.waiting;
        if (!own) return false;
        try {
            await withdraw(own.id);
        } catch (problem) {
            if (problem instanceof ApiProblem && problem.kind === "challenge-gone") return false;
            throw problem;
        }
        return true;
    }

    #begin(game: string): void {
        this.#stop();
        sound("turn");
        navigate(`/game/${game}`);
    }

    #stop(): void {
        this.waiting = null;
        for (const stop of this.#stops) stop();
        this.#stops = [];
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

/** Whether a challenge is older than another. All players order two challenges in the same way. */
function isOlder(one: ChallengeView, other: ChallengeView): boolean {
    return `${one.created} ${one.id}` < `${other.created} ${other.id}`;
}

/** Withdraw a challenge while the page closes, so that nobody accepts it in vain. */
function withdrawOnLeaving(id: string): void {
    void fetch(`/api/challenges/${encodeURIComponent(id)}`, { method: "DELETE", keepalive: true }).catch(
        () => undefined,
    );
    changeSeat(id, { waiting: false });
}

/** The quick game that the visitor is looking for. The search continues when the visitor opens another page. */
export const quickGame = new QuickGame();
