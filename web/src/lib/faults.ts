import type { FaultView } from "./client";
import { t } from "./i18n";
import { megalithName } from "./megaliths";

/** The server's names for faults in a position, a token or a record. A test checks that this list is complete. */
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

/** A sentence that describes the fault, in the current language. */
export function faultText({ kind, field, details }: FaultView): string {
    const known = FAULT_KINDS.find((one): one is FaultKind => one === kind);
    const { megalith } = details;
    return known
        ? t(`fault.${known}`, { field, ...details, ...(megalith && { megalith: megalithName(megalith) }) })
        : t("fault.other");
}

/** Where the fault is: a field of a position, a line or a turn of a record, or a header. */
export function faultPlace({ field, details }: FaultView): string {
    const known = FIELDS.find((one) => one === field);
    if (known) return t(`fault.place.${known}`);
    if (field === "fields") return t("fault.place.position");
    if (field === "token") return t("fault.place.token");
    if (field === "result") return t("fault.place.result");
    if (details.line) return t("fault.place.line", details);
    if (details.byte) return t("fault.place.byte", details);
    if (details.token) return t("fault.place.turn-token", details);
    if (details.turn) return t("fault.place.turn", details);
    return t("fault.place.header", { header: field });
}
