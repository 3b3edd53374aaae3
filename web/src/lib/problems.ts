import { ApiProblem } from "./client";
import { t } from "./i18n";
import { notify, type Notice } from "./notices.svelte";

/** The general kinds of problems that have a message. */
export const PROBLEM_KINDS = [
    "broken-link",
    "computer-decides",
    "core-missing",
    "damaged-device-game",
    "damaged-game",
    "deleted-game",
    "device-continued",
    "device-failed",
    "device-full",
    "device-unreadable",
    "forbidden",
    "game-over",
    "illegal-token",
    "long-link",
    "malformed",
    "malformed-token",
    "no-person",
    "not-found",
    "nothing-to-confirm",
    "nothing-to-undo",
    "offline",
    "other-tab",
    "stale-revision",
    "storage-failed",
    "storage-full",
    "timeout",
    "too-large",
    "turn-held",
    "unknown-device-game",
    "unknown-game",
    "wrong-turn",
] as const;

/** The kinds of problems with accounts. */
export const ACCOUNT_KINDS = [
    "account-needed",
    "admin-needed",
    "bad-name",
    "bad-password",
    "common-password",
    "name-in-password",
    "name-similar",
    "name-taken",
    "no-account",
    "own-bot",
    "sign-in-needed",
    "signed-in-already",
    "too-many",
    "too-many-games",
    "too-many-running",
    "too-many-sockets",
    "too-many-tokens",
    "unknown-player",
    "unknown-report",
    "unknown-reset",
    "unknown-token",
    "wrong-login",
    "wrong-password",
] as const;

/** The kinds of problems with online games. */
export const ONLINE_KINDS = [
    "challenge-gone",
    "chat-full",
    "computer-opponent",
    "draw-waits",
    "muted",
    "no-offer",
    "not-abandoned",
    "not-for-you",
    "not-ready",
    "not-your-challenge",
    "not-your-seat",
    "number-fixed",
    "offered-already",
    "online-game",
    "own-challenge",
    "rated-needs-clock",
    "rematch-offered",
    "sealed-mismatch",
    "sealed-storage",
    "still-running",
    "takeback-needed",
    "too-fast",
    "too-many-challenges",
    "too-many-undos",
    "unknown-challenge",
    "wrong-seat-token",
    "your-decision",
] as const;

function oneOf<Kind extends string>(kinds: readonly Kind[], kind: string): Kind | undefined {
    return kinds.find((known) => known === kind);
}

/** A sentence that describes a problem, in the current language. */
export function problemText(error: unknown): string {
    const kind = error instanceof ApiProblem ? error.kind : "unexpected";
    const known = oneOf(PROBLEM_KINDS, kind);
    const account = oneOf(ACCOUNT_KINDS, kind);
    const online = oneOf(ONLINE_KINDS, kind);
    const seconds = error instanceof ApiProblem ? error.seconds : 0;
    if (account) return t(`account.problem.${account}`, { seconds });
    if (online) return t(`online.problem.${online}`, { seconds });
    return known ? t(`common.problem.${known}`) : t("common.problem.unexpected");
}

/** The kinds of problems after which closing the page may lose a game on this device. */
const STORAGE_KINDS: readonly string[] = ["device-failed", "device-full", "unknown-device-game"];

/** Whether a problem means that this device could not store a game. */
export function isStorageProblem(error: unknown): boolean {
    return error instanceof ApiProblem && STORAGE_KINDS.includes(error.kind);
}

/** Show a notice about a problem. A lost connection gets no notice, because it has its own banner. */
export function reportProblem(error: unknown, action?: Notice["action"]): void {
    if (error instanceof ApiProblem && error.kind === "offline") return;
    if (!(error instanceof ApiProblem)) console.error(error);
    notify({ kind: "error", text: problemText(error), ...(action ? { action } : {}) });
}
