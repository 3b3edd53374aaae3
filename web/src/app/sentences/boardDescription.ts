import { language, t } from "../../lib/i18n";
import { megalithName } from "../../lib/megaliths";
import { SPACES, type Table, type Tribe } from "@cairn/board/position";

function formatList(names: readonly string[]): string {
    return new Intl.ListFormat(language(), { type: "conjunction" }).format(names);
}

function standing(table: Table, tribe: Tribe): string {
    return formatList(SPACES.filter((space) => table.shamans[space] === tribe));
}

/** Describe the board in words, for screen readers. */
export function describeBoard(table: Table): string {
    const megaliths = SPACES.flatMap((space) => {
        const code = table.megaliths[space];
        return code ? t("learn.describe.megalith", { name: megalithName(code), space }) : [];
    });
    return t("learn.describe", {
        forest: standing(table, "forest"),
        sea: standing(table, "sea"),
        megaliths: formatList(megaliths),
        forestScore: table.scores.forest,
        seaScore: table.scores.sea,
    });
}
