/** Whether a text is a position rather than a record: seven words, of which the first has the five rows. */
export function looksLikePosition(text: string): boolean {
    const words = text.trim().split(/\s+/);
    return words.length === 7 && (words[0]?.split("/").length ?? 0) === 5;
}

/** An address that carries a position: `/position?p=…`, `/setup?position=…`. */
export function positionAddress(path: string, name: string, position: string): string {
    return `${path}?${new URLSearchParams({ [name]: position })}`;
}
