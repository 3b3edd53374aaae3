/** The lessons of the tutorial. docs/tutorial.md describes their format. This code contains no game rules. */
import type { Effect, Moment, Step, TribeName } from "../../lib/client";
import data from "./lessons.json";

/** What counts as done: the phase that the token leads to, or an effect of the token with these fields. */
export type Goal = { readonly phase: Moment["phase"] } | { readonly effect: Readonly<Record<string, string | number>> };

export interface LessonStep {
    /** A token that does what the step asks for. */
    readonly best: string;
    /** Whether only the picks of the best token are marked, as they always are after a wrong attempt. */
    readonly point?: boolean;
    /** The step is done if one of these goals is reached. */
    readonly done: readonly Goal[];
    /** The draws and the opponent's reply, which follow any accepted token. */
    readonly then?: readonly string[];
}

export interface Lesson {
    readonly id: string;
    readonly position: string;
    /** The learner's tribe. */
    readonly plays: TribeName;
    readonly steps: readonly LessonStep[];
}

export const LESSONS = data as readonly Lesson[];

/** The texts of a lesson in one language. `{DR}` stands for the name of a megalith. */
export interface LessonText {
    readonly title: string;
    /** For each step, what to do, and a hint after a wrong attempt. A step that accepts every token has no hint. */
    readonly steps: readonly (readonly [message: string, hint?: string])[];
    /** What was learnt. */
    readonly done: string;
}

export type TutorialText = Readonly<Record<string, LessonText>>;

/** Whether a token, with its effects and the moment that it leads to, does what the step asks for. */
export function isDone({ done }: LessonStep, { effects }: Pick<Step, "effects">, { phase }: Pick<Moment, "phase">) {
    return done.some((goal) =>
        "phase" in goal ? phase === goal.phase : effects.some((effect) => matches(effect, goal.effect)),
    );
}

function matches(effect: Effect, wanted: Readonly<Record<string, unknown>>): boolean {
    const fields = new Map<string, unknown>(Object.entries(effect));
    return Object.entries(wanted).every(([name, value]) => fields.get(name) === value);
}

/** The lesson after this one; `null` after the last. */
export function lessonAfter(id: string): Lesson | null {
    return LESSONS[LESSONS.findIndex((lesson) => lesson.id === id) + 1] ?? null;
}
