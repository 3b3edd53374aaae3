/** Maps the server's names for end reasons to their names in message keys. */
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

/** The name of a reason in message keys; `null` if the reason is unknown. */
export function endReason(reason: string): EndReason | null {
    return (REASONS as Readonly<Record<string, EndReason>>)[reason] ?? null;
}
