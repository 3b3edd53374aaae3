/** A piece of a sentence: plain words, important words, or the name of a megalith. */
export type Piece = { kind: "plain" | "strong"; text: string } | { kind: "megalith"; code: string };

/** Split a sentence in which `**…**` marks important words and `{DR}` stands for the name of a megalith. */
export function piecesOf(sentence: string): Piece[] {
    return sentence
        .split(/(\*\*[^*]+\*\*|\{[A-Z]{2}\})/)
        .filter((part) => part !== "")
        .map((part): Piece => {
            if (part.startsWith("**")) return { kind: "strong", text: part.slice(2, -2) };
            if (part.startsWith("{")) return { kind: "megalith", code: part.slice(1, -1) };
            return { kind: "plain", text: part };
        });
}
