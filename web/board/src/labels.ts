/** English labels, for pages that do not pass a `label` function. */
import { deckSize, FACES, isSpace, waiting, type Table, type TileName, type Tribe } from "./position";
import { villageTribe } from "./layout";

const NAMES: Readonly<Record<Tribe, string>> = { forest: "Forest", sea: "Sea" };

/** The accessible name of a pick, `field` or `deck`. Megaliths are identified by their codes. */
export function defaultLabel(subject: string, table: Table): string {
    if (isSpace(subject)) {
        const tribe = table.shamans[subject];
        const code = table.megaliths[subject];
        return [subject, tribe && `${NAMES[tribe]} shaman`, code && `megalith ${code}`].filter(Boolean).join(", ");
    }
    const tribe = villageTribe(subject);
    if (tribe) return `${NAMES[tribe]} village, ${waiting(table, tribe)} waiting, score ${table.scores[tribe]}`;
    const [kind, name = ""] = subject.split(":");
    if (kind === "slot") return `Upcoming megalith ${table.upcoming[Number(name)] ?? "none"}`;
    if (kind === "tile" && name in FACES) return `${name} tile, face ${table.faces[name as TileName]} up`;
    return kind === "deck" ? `Deck, ${deckSize(table)} left` : "Board";
}
