/** The lessons, played with the real core: positions, accepted tokens, scripted tokens, texts and lengths. */
import { beforeAll, describe, expect, test } from "vitest";

import type { Line } from "../../lib/client";
import { LANGUAGES, type Language } from "../../lib/i18n";
import { hasCore, loadStudy } from "../../test/core";
import { nextPickTo } from "../exercise/picks";
import { isDone, LESSONS, type Lesson, type TutorialText } from "./lessons";
import { filled } from "./texts";
import de from "./text/de";
import en from "./text/en";
import fr from "./text/fr";
import ru from "./text/ru";

const TEXTS: Record<Language, TutorialText> = { en, fr, de, ru };
const MOST_WORDS_PER_STEP = 25;
const MOST_WORDS = 900;
const MOST_ACTIONS = 60;

let studyPosition: Awaited<ReturnType<typeof loadStudy>>;

beforeAll(async () => {
    if (hasCore) studyPosition = await loadStudy();
});

/** Play tokens from the lesson's position. Throws if the core refuses the position or a token. */
function study({ position }: Lesson, tokens: readonly string[]): Line {
    return studyPosition(position, tokens);
}

/** Play every way through a lesson. Adds the steps in which a legal token is declined to `declining`. */
function playEveryWay(lesson: Lesson, tokens: readonly string[], count: number, declining: Set<number>): void {
    const { now } = study(lesson, tokens);
    const step = lesson.steps[count];
    if (!step) {
        // The lesson ends between two turns, not in the middle of one.
        expect(["action", "over"], tokens.join(" ")).toContain(now.phase);
        return;
    }
    expect(now.decider, tokens.join(" ")).toBe(lesson.plays);
    let accepted = 0;
    for (const { token } of now.choices) {
        const tried = study(lesson, [...tokens, token]);
        const played = tried.steps.at(-1);
        if (played && isDone(step, played, tried.now)) {
            accepted += 1;
            playEveryWay(lesson, [...tokens, token, ...(step.then ?? [])], count + 1, declining);
        } else declining.add(count);
    }
    expect(accepted, `step ${count + 1} after ${tokens.join(" ")}`).toBeGreaterThan(0);
}

/** The picks of the best tokens, in order. */
function bestPicks(lesson: Lesson): string[] {
    const picks: string[] = [];
    let tokens: string[] = [];
    for (const { best, then = [] } of lesson.steps) {
        const { choices } = study(lesson, tokens).now;
        const path: string[] = [];
        for (let pick = nextPickTo(best, choices, path); pick !== null; pick = nextPickTo(best, choices, path))
            path.push(pick);
        picks.push(...path);
        tokens = [...tokens, best, ...then];
    }
    return picks;
}

function wordsIn(text: string): number {
    return text.split(/\s+/u).filter((word) => /[\p{L}\d]/u.test(word)).length;
}

test("there are twelve lessons with different names", () => {
    expect(new Set(LESSONS.map(({ id }) => id)).size).toBe(12);
});

describe.skipIf(!hasCore).each(LESSONS)("lesson $id", (lesson) => {
    test("starts from a position in which the learner has to decide", () => {
        const { start, now } = study(lesson, []);
        expect(start).toBe(lesson.position);
        expect(now).toMatchObject({ phase: "action", decider: lesson.plays, outcome: null });
    });

    test("is completed by its best tokens", () => {
        let tokens: string[] = [];
        for (const step of lesson.steps) {
            const tried = study(lesson, [...tokens, step.best]);
            const played = tried.steps.at(-1);
            expect(played && isDone(step, played, tried.now), step.best).toBe(true);
            tokens = [...tokens, step.best, ...(step.then ?? [])];
        }
        expect(study(lesson, tokens).steps).toHaveLength(tokens.length);
    });

    test("can be completed after every accepted token, and has a hint for each step that declines a token", () => {
        const declining = new Set<number>();
        playEveryWay(lesson, [], 0, declining);
        for (const language of LANGUAGES) {
            const { steps } = TEXTS[language][lesson.id] ?? { steps: [] };
            const answering = steps.flatMap(([, hint], index) => (hint ? [index] : []));
            expect(answering, language).toEqual([...declining].sort());
        }
    });
});

test.skipIf(!hasCore)(`the lessons take at most ${MOST_ACTIONS} actions, with the taps that lead to the next`, () => {
    expect(LESSONS.flatMap(bestPicks).length + LESSONS.length - 1).toBeLessThanOrEqual(MOST_ACTIONS);
});

describe.each(LANGUAGES)("the texts in %s", (language) => {
    const texts = TEXTS[language];
    const sentences = Object.values(texts).flatMap(({ title, steps, done }) => [title, ...steps.flat(), done]);

    test("have a title, a message for every step, and a last sentence", () => {
        expect(Object.keys(texts)).toEqual(LESSONS.map(({ id }) => id));
        for (const { id, steps } of LESSONS) expect(texts[id]?.steps, id).toHaveLength(steps.length);
        for (const sentence of sentences) expect(sentence?.trim()).toBeTruthy();
    });

    test(`have at most ${MOST_WORDS_PER_STEP} words in a step and ${MOST_WORDS} in total`, () => {
        const counts = sentences.map((sentence) => wordsIn(filled(sentence ?? "")));
        expect(Math.max(...counts)).toBeLessThanOrEqual(MOST_WORDS_PER_STEP);
        expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(MOST_WORDS);
    });

    test("mention the same spaces and megaliths as in English", () => {
        const named = (text: TutorialText, id: string): (string[] | undefined)[] | undefined =>
            text[id]?.steps.map((step) =>
                step
                    .join(" ")
                    .match(/\{\w\w\}|\b[a-e][1-5]\b/g)
                    ?.sort(),
            );
        for (const { id } of LESSONS) expect(named(texts, id), id).toEqual(named(en, id));
    });
});
