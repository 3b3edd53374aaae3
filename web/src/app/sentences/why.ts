/** Says why a decision was a mistake, from a claim of the core. */
import type { Claim } from "../../lib/reviews";
import type { Effect } from "../../lib/client";
import { t } from "../../lib/i18n";
import { clause, sentence } from "./narration";

export function whySentence({ kind, tribe, missed, turns, event, cause }: Claim): string {
    let text = clause(event as Effect);
    if (kind === "scores") text = t("story.why.scores", { event: text, tribe });
    if (kind === "reaches") text = t("story.why.reaches", { event: text, tribe });
    if (cause) text = t("story.why.cause", { cause: clause(cause as Effect), event: text });
    return sentence(
        missed ? t("story.why.missed", { n: turns, event: text }) : t("story.why.refuted", { n: turns, event: text }),
    );
}
