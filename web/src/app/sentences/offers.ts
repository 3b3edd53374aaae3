/** Sentences about offers between two players. */
import type { TribeName } from "../../lib/client";
import { t } from "../../lib/i18n";
import type { ChallengeView, OfferView } from "../../lib/online";

export function offerSentence({ by, what, tokens }: OfferView, mine: readonly TribeName[]): string {
    return mine.includes(by)
        ? t("online.offer.own", { what })
        : t("online.offer.other", { what, tribe: by, n: tokens });
}

export function rematchSentence({ yours }: Pick<ChallengeView, "yours">): string {
    return yours ? t("online.rematch.own") : t("online.rematch.other");
}
