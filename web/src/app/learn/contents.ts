/**
 * The structure of the rules pages, the same in every language: the sections, the rule that each sentence explains, the
 * lines of play that the boards show, and the rulings on every megalith.
 */

/** The sections, with the rule that each sentence explains and the names of the lines that the boards show. */
export const SECTIONS = [
    { id: "field", rules: ["B1", "B1", "B2", "B3", "B4", "B5"], lines: ["setup"] },
    { id: "setup", rules: ["S1", "S2", "S2", "S3", "S4", "S5"], lines: ["setup"] },
    { id: "turn", rules: ["T2", "T2", "T3", "T4", "T5"], lines: ["megalith-CG"] },
    { id: "add", rules: ["A1", "A1", "A1", "E3"], lines: ["add-white", "add-black", "add-banish"] },
    { id: "move", rules: ["A2", "A2"], lines: ["move-orthogonal", "move-diagonal"] },
    { id: "jump", rules: ["A3", "A3", "A3"], lines: ["jump-friend", "jump-enemy"] },
    { id: "leave", rules: ["E1", "E1", "E2"], lines: ["leaving-step", "leaving-jump", "leaving-corner"] },
    { id: "build", rules: ["E4", "E4", "E4", "E5"], lines: ["leaving-occupied"] },
    { id: "powers", rules: ["P1", "P1", "P1", "P2", "P4"], lines: ["opponent-decides", "power-nothing"] },
    { id: "chains", rules: ["P3", "T3", "P6", "P6", "P6"], lines: ["chain", "loop-guard", "loop-guard-third"] },
    { id: "exits", rules: ["P5", "P5", "P5"], lines: ["power-exit"] },
    {
        id: "transformation",
        rules: ["X1", "X1", "X2", "X3", "X4", "X5"],
        lines: ["transformation-middle", "transformation-end", "transformation-declined"],
    },
    { id: "end", rules: ["G1", "G2", "G3"], lines: ["winning", "no-action", "repetition"] },
    {
        id: "printed",
        rules: ["", "E1", "P5", "X5", "A1", "P6", "P1", "E5", "G3"],
        lines: ["leaving-corner", "power-exit"],
    },
] as const;

/** The rule that each ruling on a megalith is based on. */
export const RULINGS = {
    CG: ["B1", "E3"],
    CD: ["A1", "P3"],
    CS: ["P1", "P3"],
    PS: ["T5", "T4"],
    AD: ["B5", "P1"],
    DR: ["B5", "P5"],
    MD: ["P5", "P3"],
    SA: ["P4", "P4"],
    TS: ["P1", "E3"],
    SW: ["P4", "P4"],
    FC: ["P3", "P5"],
    HP: ["P5", "P5"],
    MM: ["P2", "X1"],
    SS: ["P4", "E5"],
    WC: ["P1", "X2"],
    SH: ["P1", "P6"],
    HE: ["B4", "P4"],
} as const;

/** The place of each rule on the page: the first sentence that explains it, as `section/index`. */
const PLACES: ReadonlyMap<string, string> = new Map(
    SECTIONS.flatMap(({ id, rules }) =>
        rules.map((rule, index): [string, string] => [rule, `${id}/${index}`]),
    ).reverse(),
);

/** The rule that a sentence is the first to explain, if any. It is the id of the sentence's element. */
export function ruleAt({ id, rules }: Section, index: number): string | undefined {
    const rule = rules[index];
    return rule && PLACES.get(rule) === `${id}/${index}` ? rule : undefined;
}

/** The rule number shown after a sentence. If several sentences explain a rule, only the first shows its number. */
export function ruleShown({ rules }: Section, index: number): string | undefined {
    return rules[index] === rules[index - 1] ? undefined : rules[index];
}

/** One entry for each sentence of the one-minute summary. */
export const SUMMARY = [1, 2, 3, 4, 5] as const;

export type Section = (typeof SECTIONS)[number];
export type MegalithCode = keyof typeof RULINGS;
/** The name of a line of play in a section. Lines in the gallery are named after their megaliths. */
export type ExampleName = Exclude<Section["lines"][number], `megalith-${string}`>;

/** The name of the line of play that demonstrates a megalith. */
export function lineOf(code: string): string {
    return `megalith-${code}`;
}

/** One sentence for each rule. */
type Sentences<Rules extends readonly unknown[]> = { readonly [Index in keyof Rules]: string };

/**
 * The texts in one language. `**…**` marks important words, and `{DR}` stands for the name of that megalith.
 */
export interface LearnText {
    readonly summary: Sentences<typeof SUMMARY>;
    readonly sections: {
        readonly [Each in Section as Each["id"]]: {
            readonly title: string;
            readonly points: Sentences<Each["rules"]>;
        };
    };
    /** What each example is about, in two or three words. */
    readonly examples: Readonly<Record<ExampleName, string>>;
    readonly rulings: { readonly [Code in MegalithCode]: Sentences<(typeof RULINGS)[Code]> };
}
