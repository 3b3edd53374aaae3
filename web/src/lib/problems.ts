import { ApiProblem } from "./client";
import { t } from "./i18n";
import { notify } from "./notices.svelte";

/** The kinds of problems that have a sentence in every language. */
export const PROBLEM_KINDS = [
    "computer-decides",
    "deleted-game",
    "forbidden",
    "game-over",
    "illegal-token",
    "malformed",
    "no-person",
    "not-found",
    "nothing-to-confirm",
    "nothing-to-undo",
    "offline",
    "stale-revision",
    "storage-failed",
    "storage-full",
    "too-large",
    "turn-held",
    "unknown-game",
    "wrong-turn",
] as const;

export type ProblemKind = (typeof PROBLEM_KINDS)[number];

function isKnown(kind: string): kind is ProblemKind {
    return PROBLEM_KINDS.some((known) => known === kind);
}

/** What went wrong, in the language that is shown. */
export function problemText(error: unknown): string {
    const kind = error instanceof ApiProblem ? error.kind : "unexpected";
    return isKnown(kind) ? t(`common.problem.${kind}`) : t("common.problem.unexpected");
}

/** Tell what went wrong at the edge of the page. A lost connection has its own banner and is not told twice. */
export function tell(error: unknown): void {
    if (error instanceof ApiProblem && error.kind === "offline") return;
    if (!(error instanceof ApiProblem)) console.error(error);
    notify({ kind: "error", text: problemText(error) });
}
