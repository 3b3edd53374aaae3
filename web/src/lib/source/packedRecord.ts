/** Packs the record of a game into a link, so that the link replays the game without a server. */
import { ApiProblem } from "../client";

/** The longest packed record. Some programs cut off links that are longer than this. */
const LONGEST = 6_000;
/** The longest record that is unpacked. A short text may expand to a very long one. */
const LONGEST_RECORD = 1_000_000;

/** Pack a record. Rejects with `long-link` if it is too long for a link. */
export async function pack(record: string): Promise<string> {
    const bytes = await through(new Blob([record]).stream(), new CompressionStream("deflate-raw"), Infinity);
    const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    const packed = text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
    if (packed.length > LONGEST) throw new ApiProblem("long-link", "The game is too long for a link.");
    return packed;
}

/** Unpack a record. Rejects with `broken-link` if the link is not complete. */
export async function unpack(packed: string): Promise<string> {
    try {
        const text = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
        const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
        const stream = new Blob([bytes]).stream();
        return new TextDecoder().decode(await through(stream, new DecompressionStream("deflate-raw"), LONGEST_RECORD));
    } catch {
        throw new ApiProblem("broken-link", "The link does not contain a whole game.", 404);
    }
}

async function through(
    stream: ReadableStream<Uint8Array<ArrayBuffer>>,
    change: CompressionStream | DecompressionStream,
    most: number,
): Promise<Uint8Array> {
    const reader = stream.pipeThrough(change).getReader();
    const chunks: Uint8Array[] = [];
    let length = 0;
    for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        chunks.push(value);
        length += value.length;
        if (length > most) {
            await reader.cancel();
            throw new RangeError("the record is too long");
        }
    }
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const chunk of chunks) {
        bytes.set(chunk, at);
        at += chunk.length;
    }
    return bytes;
}
