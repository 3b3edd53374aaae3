/**
 * The 17 megaliths from src/cairn/megaliths.json, which the rulebook and the core also read. Names and powers are in
 * the current language and, like `t`, reactive.
 */
import table from "virtual:megaliths";

import { t } from "./i18n";
import type { Variant } from "./settings.svelte";

interface Megalith {
    readonly code: string;
    readonly set: Variant;
    /** The space on which the megalith starts in a beginner game (S2). */
    readonly starts_on: string | null;
}

const MEGALITHS: ReadonlyMap<string, Megalith> = new Map(
    (table as readonly Megalith[]).map((megalith) => [megalith.code, megalith]),
);

function megalith(code: string): Megalith {
    const found = MEGALITHS.get(code);
    if (!found) throw new Error(`no megalith has the code ${code}`);
    return found;
}

/** All codes, in the order of the table. */
export const MEGALITH_CODES: readonly string[] = [...MEGALITHS.keys()];

/** Whether a megalith has this code. */
export function isMegalith(code: string): boolean {
    return MEGALITHS.has(code);
}

export function megalithName(code: string): string {
    return t(`megalith.${megalith(code).code}.name`);
}

/** The power of a megalith, as a sentence. */
export function megalithPower(code: string): string {
    return t(`megalith.${megalith(code).code}.power`);
}

/** The smallest variant that includes a megalith. */
export function megalithSet(code: string): Variant {
    return megalith(code).set;
}

/** The space on which a megalith starts in a beginner game; `null` if it does not start on the field. */
export function megalithStart(code: string): string | null {
    return megalith(code).starts_on;
}

/** The codes of the tiles that a set adds to the smaller sets. */
export function codesOfSet(set: Variant): string[] {
    return MEGALITH_CODES.filter((code) => megalithSet(code) === set);
}
