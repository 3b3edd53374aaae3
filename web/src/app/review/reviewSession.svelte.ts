/** One visit to the review of a game: the review itself, the moment on the board, better lines and retries. */
import { Stage } from "@cairn/board/svelte";
import { isSpace, parsePosition } from "@cairn/board/position";

import type { Line, TribeName } from "../../lib/client";
import { problemOf } from "../../lib/device/core";
import { nextPicks, openPicks, pickNext, reachable } from "../../lib/picking";
import { mistakesOf } from "../../lib/mistakes";
import { reportProblem } from "../../lib/problems";
import { startReview, type GameReview, type OpenedGame } from "../../lib/reviewCore";
import type { Retry, Review } from "../../lib/reviews";
import { PACE, settings } from "../../lib/settings.svelte";

/** A game to review. */
export interface ReviewedGame {
    record: string;
    /** What an earlier review has found; `null` if the game has to be searched. */
    findings: readonly string[] | null;
}

export interface ReviewOptions {
    load: () => Promise<ReviewedGame>;
    /** Called after a search, with what can be loaded the next time. */
    onSearched?: (record: string, findings: readonly string[], review: Review) => void;
    /** Called when a token has been tried in place of the one with this index, or the better line has been shown. */
    onTried?: (index: number, good: boolean) => void;
}

/** What the board shows: the game, a better line, or a moment at which a better token is wanted. */
type Mode =
    | { kind: "game" }
    | { kind: "line"; index: number; line: Line }
    | { kind: "retry"; index: number; line: Line; verdict: Retry | null; judging: boolean };

export class ReviewSession {
    readonly stage = new Stage(parsePosition("5/5/5/5/5 - ---- - wofm 0-0 F"));
    readonly #options: ReviewOptions;
    #core: GameReview | null = null;
    /** Counts the starts and stops, so that a review that was stopped while it was loading does not begin. */
    #request = 0;

    state = $state<"loading" | "unfinished" | "running" | "cancelled" | "done">("loading");
    problem = $state.raw<unknown>(null);
    share = $state(0);
    opened = $state.raw<OpenedGame | null>(null);
    review = $state.raw<Review | null>(null);
    mode = $state.raw<Mode>({ kind: "game" });
    picks = $state.raw<string[]>([]);
    /** The mistakes to retry one after the other; empty outside that exercise. */
    lessons = $state.raw<readonly number[]>([]);
    /** How many steps of the game, and of the better line, have been played on the board. */
    #cursor = $state(0);
    #lineCursor = $state(0);

    /** The line on the board. A better line begins with the game up to the mistake. */
    readonly line: Line | null = $derived(this.mode.kind === "game" ? (this.opened?.line ?? null) : this.mode.line);
    /** The first step that can be shown: a better line does not go back before the mistake. */
    readonly first: number = $derived(this.mode.kind === "line" ? this.mode.index : 0);
    readonly cursor: number = $derived(
        this.mode.kind === "game" ? this.#cursor : this.mode.kind === "line" ? this.#lineCursor : this.mode.index,
    );
    readonly choices = $derived(
        this.mode.kind === "retry" && !this.mode.judging && !this.mode.verdict?.good ? this.mode.line.now.choices : [],
    );
    readonly targets: ReadonlySet<string> = $derived.by(() => {
        const next = [...nextPicks(this.choices, this.picks).keys()];
        const shamans = next.filter((pick) => isSpace(pick) && this.stage.scene.shamans[pick]);
        const phase = this.mode.kind === "retry" ? this.mode.line.now.phase : null;
        return new Set(phase === "action" && this.picks.length === 0 && shamans.length > 0 ? shamans : next);
    });
    readonly alternatives: ReadonlySet<string> = $derived(openPicks(this.choices, this.picks));
    readonly aim = $derived(reachable(this.choices, this.picks)[0]?.aim ?? "shaman");
    readonly buttons: readonly string[] = $derived(
        [...nextPicks(this.choices, this.picks).keys()].filter((pick) => pick.startsWith("button:")),
    );

    constructor(options: ReviewOptions) {
        this.#options = options;
    }

    /** Load the game and review it. */
    async start(): Promise<void> {
        this.close();
        const request = this.#request;
        this.problem = null;
        this.share = 0;
        this.state = "loading";
        try {
            const { record, findings } = await this.#options.load();
            const core = await startReview(record);
            if (request !== this.#request) return core.close();
            this.#core = core;
            const opened = (this.opened = await core.open());
            this.#cursor = opened.line.steps.length;
            this.#show();
            if (!opened.outcome) {
                this.state = "unfinished";
                return this.close();
            }
            this.state = "running";
            // Another version of the core may not understand earlier findings. Then the game is searched again.
            this.review = findings && (await core.restore(findings).catch(() => null));
            this.review ??= await this.#search(core, opened, record);
            this.state = "done";
        } catch (problem) {
            // After a cancellation, the workers are gone, and their failure is expected.
            if (request !== this.#request) return;
            this.problem = problemOf(problem);
            this.close();
        }
    }

    async #search(core: GameReview, opened: OpenedGame, record: string): Promise<Review> {
        const findings = await core.run(opened, (share) => (this.share = share));
        const review = await core.restore(findings);
        this.#options.onSearched?.(record, findings, review);
        return review;
    }

    cancel(): void {
        this.close();
        this.state = "cancelled";
    }

    /** Stop the workers. */
    close(): void {
        this.#request += 1;
        this.#core?.close();
        this.#core = null;
    }

    /** Show the moment after `count` steps. A single step forward is shown effect by effect. */
    async go(count: number): Promise<void> {
        const { line } = this;
        if (!line || this.mode.kind === "retry" || count < this.first || count > line.steps.length) return;
        const step = line.steps[count - 1];
        const forward = count === this.cursor + 1 && step !== undefined;
        if (forward) this.#show();
        if (this.mode.kind === "line") this.#lineCursor = count;
        else this.#cursor = count;
        if (forward && !(await this.stage.play(step.effects, () => PACE[settings.speed]))) return;
        this.#show();
    }

    /** Show the game at the moment before a step. */
    at(index: number): void {
        this.mode = { kind: "game" };
        this.lessons = [];
        void this.go(index);
    }

    /** Let the visitor play through the better line. */
    async showBetter(index: number): Promise<void> {
        const better = this.review?.steps[index]?.better ?? [];
        const line = await this.#lineTo(index, better);
        if (!line) return;
        this.#options.onTried?.(index, false);
        this.#lineCursor = index;
        this.picks = [];
        this.mode = { kind: "line", index, line };
        this.#show();
    }

    /** Let the visitor find a better token. */
    async retry(index: number): Promise<void> {
        const line = await this.#lineTo(index, []);
        if (!line) return;
        this.picks = [];
        this.mode = { kind: "retry", index, line, verdict: null, judging: false };
        this.#show();
    }

    /** Retry all mistakes of a tribe, one after the other. */
    learn(tribe: TribeName): void {
        this.lessons = this.mistakes(tribe);
        const [first] = this.lessons;
        if (first !== undefined) void this.retry(first);
    }

    mistakes(tribe: TribeName): number[] {
        return this.review ? mistakesOf(this.review, tribe) : [];
    }

    /** The next mistake of the exercise. */
    readonly nextLesson: number | null = $derived.by(() => {
        if (this.mode.kind === "game") return null;
        return this.lessons[this.lessons.indexOf(this.mode.index) + 1] ?? null;
    });

    readonly tap = (pick: string): void => {
        if (this.mode.kind !== "retry" || this.choices.length === 0) return;
        const picked = pickNext(this.choices, this.picks, pick);
        this.picks = picked.picks;
        if (picked.kind === "token") void this.#judge(this.mode, picked.token);
    };

    readonly cancelPicks = (): void => {
        this.picks = [];
    };

    async #judge(mode: Extract<Mode, { kind: "retry" }>, token: string): Promise<void> {
        const judging: Mode = { ...mode, judging: true, verdict: null };
        this.mode = judging;
        const verdict = (await this.#ask((core) => core.retry(mode.index, token))) ?? null;
        if (this.mode !== judging) return;
        this.picks = [];
        if (verdict) this.#options.onTried?.(mode.index, verdict.good);
        this.mode = { ...mode, judging: false, verdict };
    }

    /** The game up to a step, followed by other tokens. */
    async #lineTo(index: number, tokens: readonly string[]): Promise<Line | undefined> {
        const played = this.review?.steps.slice(0, index).map(({ token }) => token) ?? [];
        return this.#ask((core) => core.line([...played, ...tokens]));
    }

    /** Ask the workers about the game. A failure is reported, unless the visitor has left the page. */
    async #ask<Answer>(question: (core: GameReview) => Promise<Answer>): Promise<Answer | undefined> {
        const request = this.#request;
        try {
            return this.#core ? await question(this.#core) : undefined;
        } catch (problem) {
            if (request === this.#request) reportProblem(problemOf(problem));
            return undefined;
        }
    }

    #show(): void {
        const { line } = this;
        if (line) this.stage.show(parsePosition(line.steps[this.cursor - 1]?.position ?? line.start));
    }
}
