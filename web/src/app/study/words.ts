/** Sentences about evaluations. */
import { t } from "../../lib/i18n";
import type { Expectation } from "./expectation";

/** Forest's expected result in percent, or who is proven to win. */
export function expectationText({ forest, proven }: Expectation): string {
    if (proven) return t("study.proven", { tribe: proven.winner, n: proven.turns });
    return t("study.expected", { n: Math.round(forest * 100) });
}

/** The same, as short as possible: "63 %" or "Forest wins". */
export function expectationLabel({ forest, proven }: Expectation): string {
    if (proven) return t("study.proven.short", { tribe: proven.winner, n: proven.turns });
    return t("study.percent", { n: Math.round(forest * 100) });
}

/** The usual signs for marks: ! for a good step and so on. */
export const MARKS = [
    [3, "!!"],
    [1, "!"],
    [5, "!?"],
    [6, "?!"],
    [2, "?"],
    [4, "??"],
] as const;

export function markSign(mark: number | null): string {
    return MARKS.find(([each]) => each === mark)?.[1] ?? "";
}
