/**
 * How a moment looks to the explorer, as in `src/cairn/explorer/walk.py`: symmetric moments look the same, and the
 * upcoming megaliths and the deck are left out.
 */
import {
    COLUMNS,
    otherFace,
    otherTribe,
    parsePosition,
    ROWS,
    writePosition,
    type Column,
    type Row,
    type Space,
    type Table,
    type Tribe,
} from "@cairn/board/position";

export interface Look {
    /** The text of the normal form: the add tile shows white, and Forest is active. */
    readonly text: string;
    /** The tribe that has the turn, before the symmetry. */
    readonly active: Tribe;
    /** The image of a token. */
    readonly image: (token: string) => string;
}

/**
 * The look of the moment after some tokens of a turn. With `anyMegaliths`, a moment at the start of a turn looks the same
 * whatever megaliths are on the field.
 */
export function lookAt(turnStart: string, tokens: readonly string[], anyMegaliths = false): Look {
    const table = parsePosition(turnStart);
    const turns = table.active === "sea";
    const mirrors = table.faces.add === "b";
    const space = (name: string): Space => {
        const column = COLUMNS.indexOf(name[0] as Column);
        const row = ROWS.indexOf(name[1] as Row);
        const last = COLUMNS.length - 1;
        return `${COLUMNS[mirrors === turns ? column : last - column] ?? "a"}${ROWS[turns ? last - row : row] ?? "1"}`;
    };
    const tribe = (one: Tribe): Tribe => (turns ? otherTribe(one) : one);
    const image = (token: string): string => {
        const moved = token.replace(/[a-e][1-5]/g, space);
        // A swap has no direction.
        return moved.replace(/(..)\/(..)$/, (_, one: string, other: string) => [one, other].sort().join("/"));
    };
    const normal: Table = {
        ...table,
        shamans: mapped(table.shamans, space, tribe),
        megaliths: mapped(table.megaliths, space, (code) => code),
        faces: mirrors ? { ...table.faces, add: otherFace("add", table.faces.add) } : table.faces,
        scores: turns ? { forest: table.scores.sea, sea: table.scores.forest } : table.scores,
        active: tribe(table.active),
    };
    const [shamans, megaliths, , , ...rest] = writePosition(normal).split(" ");
    const isStart = tokens.length === 0;
    const played = tokens.filter((token) => !token.startsWith("?")).map(image);
    return {
        text: [shamans, anyMegaliths && isStart ? "*" : megaliths, ...rest, ...played].join(" "),
        active: table.active,
        image,
    };
}

function mapped<Value>(
    places: Readonly<Partial<Record<Space, Value>>>,
    space: (name: string) => Space,
    value: (one: Value) => Value,
): Partial<Record<Space, Value>> {
    const entries = Object.entries(places) as [Space, Value][];
    return Object.fromEntries(entries.map(([name, one]) => [space(name), value(one)]));
}
