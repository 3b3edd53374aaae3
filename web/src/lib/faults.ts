import type { FaultView } from "./client";
import { t } from "./i18n";
import { isMegalith, megalithName } from "./megaliths";

/** What can be wrong with a position, a token or a record, as the server names it. A test holds this list complete. */
export const FAULT_KINDS = [
    "active",
    "after-the-result",
    "bad-entry",
    "bad-escape",
    "bad-header",
    "bad-letter",
    "bad-mark",
    "bad-reason",
    "bad-result",
    "bad-score",
    "bad-tribe",
    "control-character",
    "empty-slot",
    "empty-turn",
    "faces",
    "field-count",
    "game-over",
    "header-twice",
    "illegal-token",
    "no-number",
    "no-position",
    "no-reason",
    "no-result",
    "no-token",
    "not-a-power",
    "not-a-space",
    "not-a-token",
    "not-utf-8",
    "odd-length",
    "open-comment",
    "order",
    "parentheses",
    "reason-without-result",
    "results-differ",
    "row-count",
    "row-length",
    "scores",
    "single-unknown",
    "slots",
    "space-twice",
    "tile-twice",
    "too-many-shamans",
    "turn-goes-on",
    "turn-number",
    "turn-over",
    "turn-tribe",
    "two-digits",
    "unknown-code",
    "wrong-reason",
    "wrong-result",
] as const;

type FaultKind = (typeof FAULT_KINDS)[number];

const FIELDS = ["shamans", "megaliths", "upcoming", "deck", "faces", "scores", "active", "tiles"] as const;

/** The details that a message may name. The server's sentence holds them; what it does not hold stays empty. */
function details({ field, sentence }: FaultView): Record<string, string> {
    const code = /\b([A-Z]{2}) \(/.exec(sentence)?.[1] ?? "";
    return {
        field,
        what: /'([^']*)'/.exec(sentence)?.[1] ?? "",
        row: /\brow (\d)/.exec(sentence)?.[1] ?? "",
        space: /\b([a-e][1-5])\b/.exec(sentence)?.[1] ?? "",
        tribe: /\b(forest|sea)\b/.exec(sentence)?.[1] ?? "",
        megalith: isMegalith(code) ? megalithName(code) : "",
    };
}

/** What is wrong, in the language that is shown. */
export function faultText(fault: FaultView): string {
    const kind = FAULT_KINDS.find((known): known is FaultKind => known === fault.kind);
    return kind ? t(`setup.fault.${kind}`, details(fault)) : t("setup.fault.other");
}

/** Where it is wrong: a field of a position, a line or a turn of a record, or a header. */
export function faultPlace({ field }: FaultView): string {
    const known = FIELDS.find((one) => one === field);
    if (known) return t(`setup.place.${known}`);
    if (field === "fields") return t("setup.place.position");
    if (field === "token") return t("setup.place.token");
    if (field === "result") return t("setup.place.result");
    const line = /^line (\d+)$/.exec(field)?.[1];
    if (line) return t("setup.place.line", { line });
    const byte = /^byte (\d+)$/.exec(field)?.[1];
    if (byte) return t("setup.place.byte", { byte });
    const [, turn, token, text] = /^turn (\d+)(?:, token (\d+)(?: '(.*)')?)?$/.exec(field) ?? [];
    if (turn && token) return t("setup.place.turn-token", { turn, token, text: text ?? "" });
    if (turn) return t("setup.place.turn", { turn });
    return t("setup.place.header", { header: field });
}
