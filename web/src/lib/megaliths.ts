/**
 * The 17 megaliths, from the one table that the rulebook and the core read too.
 *
 * `import * as megaliths from "../lib/megaliths"`, then `megaliths.name("DR")`. Names and powers are in the language
 * that is shown, and reactive like `t`.
 */
import table from "../../../src/cairn/megaliths.json";
import { language, type Language } from "./i18n";
import type { Variant } from "./settings.svelte";

interface Megalith {
    readonly code: string;
    readonly set: Variant;
    /** Where it lies when a beginner game starts (S2). */
    readonly starts_on: string | null;
    readonly name: Readonly<Record<Language, string>>;
    readonly power: Readonly<Record<Language, string>>;
}

const MEGALITHS: ReadonlyMap<string, Megalith> = new Map(
    (table as readonly Megalith[]).map((megalith) => [megalith.code, megalith]),
);

const SETS: readonly Variant[] = ["beginner", "standard", "expert"];

function megalith(code: string): Megalith {
    const found = MEGALITHS.get(code);
    if (!found) throw new Error(`no megalith has the code ${code}`);
    return found;
}

/** All codes, in the order of the table. */
export const codes: readonly string[] = [...MEGALITHS.keys()];

/** Whether a megalith has this code. */
export function has(code: string): boolean {
    return MEGALITHS.has(code);
}

/** Its name. The table has the printed straight apostrophe; on the screen it is a curved one. */
export function name(code: string, speech: Language = language()): string {
    return megalith(code).name[speech].replaceAll("'", "’");
}

/** What it does, in a sentence. */
export function power(code: string, speech: Language = language()): string {
    return megalith(code).power[speech];
}

/** The smallest variant that has it. */
export function setOf(code: string): Variant {
    return megalith(code).set;
}

/** The space where it lies when a beginner game starts, if it does. */
export function startOf(code: string): string | null {
    return megalith(code).starts_on;
}

/** The tiles that come with a set, without those of the sets before it. */
export function codesOfSet(set: Variant): string[] {
    return codes.filter((code) => setOf(code) === set);
}

/** All tiles of a variant: each variant has those of the ones before it. */
export function codesOfVariant(variant: Variant): string[] {
    return codes.filter((code) => SETS.indexOf(setOf(code)) <= SETS.indexOf(variant));
}
