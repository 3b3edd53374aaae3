/** Offer text as a file download. */
export function saveFile(name: string, text: string, type = "text/plain"): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = name;
    link.click();
    // The browser reads the text after this function has returned, so revoke the URL later.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** The file name for a record, the same as on the server. */
export function recordName({ id, created }: { id: string; created: string }): string {
    return `cairn-${created.slice(0, 10)}-${id}.cairn`;
}
