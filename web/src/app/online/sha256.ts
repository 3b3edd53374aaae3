/**
 * SHA-256 and HMAC (FIPS 180-4, RFC 2104). Browsers give their own only to pages that come by https, and whoever plays
 * over a plain network should be able to check the draws all the same.
 */
const PRIMES = Array.from({ length: 310 }, (_, index) => index + 2).filter((number) => {
    for (let divisor = 2; divisor * divisor <= number; divisor += 1) if (number % divisor === 0) return false;
    return true;
});
/** The first 32 bits behind the point. */
const behindPoint = (number: number): number => ((number % 1) * 2 ** 32) | 0;
const ROUNDS = PRIMES.map((prime) => behindPoint(Math.cbrt(prime)));
const START = PRIMES.slice(0, 8).map((prime) => behindPoint(Math.sqrt(prime)));

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

export function joined(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
    const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
        all.set(part, at);
        at += part.length;
    }
    return all;
}

export function sha256(content: Uint8Array): Uint8Array<ArrayBuffer> {
    // 1. The content, a one, zeros up to whole blocks of 64 bytes, and the length in bits.
    const padded = new Uint8Array(Math.ceil((content.length + 9) / 64) * 64);
    padded.set(content);
    padded[content.length] = 0x80;
    const view = new DataView(padded.buffer);
    view.setUint32(padded.length - 4, content.length * 8);
    // 2. Block by block.
    const state = Int32Array.from(START);
    const words = new Int32Array(64);
    const word = (index: number): number => words[index] ?? 0;
    for (let block = 0; block < padded.length; block += 64) {
        let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
        for (let index = 0; index < 64; index += 1) {
            if (index < 16) words[index] = view.getInt32(block + 4 * index);
            else {
                const [early, late] = [word(index - 15), word(index - 2)];
                words[index] =
                    word(index - 16) +
                    (turned(early, 7) ^ turned(early, 18) ^ (early >>> 3)) +
                    word(index - 7) +
                    (turned(late, 17) ^ turned(late, 19) ^ (late >>> 10));
            }
            const chosen = (e & f) ^ (~e & g);
            const most = (a & b) ^ (a & c) ^ (b & c);
            const one =
                h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + chosen + (ROUNDS[index] ?? 0) + word(index);
            const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + most;
            [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
        }
        [a, b, c, d, e, f, g, h].forEach((value, index) => (state[index] = (state[index] ?? 0) + value));
    }
    // 3. The state, the highest byte first.
    const digest = new DataView(new ArrayBuffer(32));
    state.forEach((value, index) => digest.setInt32(4 * index, value));
    return new Uint8Array(digest.buffer);
}

/** HMAC-SHA-256, for keys of up to 64 bytes. */
export function hmac(key: Uint8Array, message: Uint8Array): Uint8Array<ArrayBuffer> {
    const padded = (by: number): Uint8Array => Uint8Array.from({ length: 64 }, (_, index) => (key[index] ?? 0) ^ by);
    return sha256(joined(padded(0x5c), sha256(joined(padded(0x36), message))));
}
