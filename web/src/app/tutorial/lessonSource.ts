/**
 * A lesson as the source of a game. The core decides what is legal and what a token does. The lesson decides which
 * tokens it accepts and how the opponent replies.
 */
import type { Line } from "../../lib/client";
import type { GameFollower, GameSource, TokenToPlay } from "../../lib/source";
import type { Study } from "../exercise/exerciseCore";
import { asProblem, viewOf } from "../exercise/view";
import { isDone, type Lesson } from "./lessons";

export interface LessonListener {
    /** Called when a token has been accepted, with the number of completed steps. */
    accepted: (count: number) => void;
    /** Called when a legal token is not what the step asks for. It is shown until {@link LessonSource.takeBack}. */
    declined: () => void;
}

export class LessonSource implements GameSource {
    readonly id: string;
    readonly table = null;
    readonly takeOver = null;
    readonly #lesson: Lesson;
    readonly #study: Study;
    readonly #listener: LessonListener;
    #follower: GameFollower | null = null;
    /** The accepted tokens and the scripted ones. */
    #tokens: readonly string[] = [];
    #line: Line | null = null;
    #done = 0;
    #revision = 0;

    constructor(lesson: Lesson, study: Study, listener: LessonListener) {
        this.id = `lesson-${lesson.id}`;
        this.#lesson = lesson;
        this.#study = study;
        this.#listener = listener;
    }

    follow(follower: GameFollower): () => void {
        this.#follower = follower;
        this.refresh().then(
            () => follower.connection("connected"),
            (problem: unknown) => this.#follower?.problem(asProblem(problem)),
        );
        return () => {
            this.#follower = null;
        };
    }

    async play({ token }: TokenToPlay): Promise<void> {
        const step = this.#lesson.steps[this.#done];
        if (!step) return;
        const tried = await this.#study(this.#lesson.position, [...this.#tokens, token]);
        const played = tried.steps.at(-1);
        if (!played || !isDone(step, played, tried.now)) {
            this.#listener.declined();
            this.#show(tried, false);
            return;
        }
        const then = step.then ?? [];
        const tokens = [...this.#tokens, token, ...then];
        const line = then.length > 0 ? await this.#study(this.#lesson.position, tokens) : tried;
        // If the core fails before this line, the step can be played again.
        this.#tokens = tokens;
        this.#line = line;
        this.#done += 1;
        this.#listener.accepted(this.#done);
        this.#show(line, this.#done < this.#lesson.steps.length);
    }

    /** Take back a token that was not accepted. */
    takeBack(): void {
        if (this.#line) this.#show(this.#line, true);
    }

    async refresh(): Promise<void> {
        this.#line ??= await this.#study(this.#lesson.position, this.#tokens);
        this.#show(this.#line, true);
    }

    undo(): Promise<void> {
        return Promise.resolve();
    }

    confirm(): Promise<void> {
        return Promise.resolve();
    }

    record(): Promise<string> {
        return Promise.reject(new Error("a lesson has no record"));
    }

    /** Show a line. If `open` is false, nothing can be picked. */
    #show(line: Line, open: boolean): void {
        this.#revision += 1;
        this.#follower?.game(viewOf(this.id, this.#lesson.plays, this.#revision, line, open));
    }
}
