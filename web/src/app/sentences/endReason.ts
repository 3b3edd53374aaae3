/** The server's names for the reasons why a game ended, each with its name in the message keys. */
const REASONS = {
    score: "score",
    "no-action": "noAction",
    repetition: "repetition",
    agreement: "agreement",
    resignation: "resignation",
    time: "time",
    abandoned: "abandoned",
} as const;

type EndReason = (typeof REASONS)[keyof typeof REASONS];

/** The name of a reason in the message keys; `null` for one that this version does not know. */
export function endReason(reason: string): EndReason | null {
    return (REASONS as Readonly<Record<string, EndReason>>)[reason] ?? null;
}
