/**
 * Answers requests about positions with the WebAssembly core: one JSON object per line in, one per line out.
 * test_wasm.py compares the answers with those of the native core and with the vectors.
 */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

import { Core } from "../../web/core/core.ts";

interface Request {
    position: string;
    tokens?: string[];
    perft?: number;
    level?: number;
    seed?: string;
    nodes?: number;
    lines?: number;
    /** After how many calls `shouldStop` returns true. */
    stopAfter?: number;
}

const module = await WebAssembly.compile(readFileSync(process.argv[2]!));
let calls = 0;
let stopAfter = Infinity;
const core = await Core.load(module, () => ++calls > stopAfter);

/** The moment at the start and after each token, each with its legal tokens and, for a token, its effects. */
function replay({ position, tokens = [] }: Request): unknown {
    const start = core.start(position);
    if (!start) return null;
    const moments: unknown[] = [{ moment: start, legal: core.legalTokens() }];
    for (const token of tokens) {
        const played = core.play(token);
        if (!played) return [...moments, null];
        const legal = core.legalTokens();
        // Undo restores the moment before, and playing the token again gives the same answer.
        core.undo();
        if (JSON.stringify(core.play(token)) !== JSON.stringify(played)) throw new Error(`undo of ${token} differs`);
        moments.push({ ...played, legal });
    }
    return moments;
}

function answer(request: Request): unknown {
    const moments = replay(request);
    if (request.perft !== undefined) return core.perft(request.perft);
    if (request.level !== undefined) return core.decide(request.level, BigInt(request.seed ?? 0));
    if (request.nodes !== undefined) {
        calls = 0;
        stopAfter = request.stopAfter ?? Infinity;
        core.clear();
        const found = core.search(request.nodes, 0, request.lines ?? 1);
        stopAfter = Infinity;
        return found;
    }
    return moments;
}

for await (const line of createInterface({ input: process.stdin })) {
    process.stdout.write(`${JSON.stringify(answer(JSON.parse(line)))}\n`);
}
