/** Replays games on the WebAssembly core and posts a digest of its output, which comparison.py checks. */
import { Core, hasFaults } from "./core.ts";

interface Asked {
    /** The number of tokens played before this request. */
    at: number;
    search?: { nodes: number; lines: number };
    level?: { number: number; seed: string };
}

interface Played {
    position: string;
    tokens: string[];
    asked: Asked[];
}

let questions = 0;
let core: Core;

/** Tells the core to pause at every third call, so that pauses do not depend on time. */
const shouldPause = (): boolean => ++questions % 3 === 0;

function decided({ search, level }: Asked): unknown {
    core.clear();
    questions = 0;
    const begun = level
        ? core.beginDecision(level.number, BigInt(level.seed))
        : core.beginSearch(search!.nodes, 0, search!.lines);
    for (;;) {
        const state = begun ? core.proceed() : null;
        if (!state || state.done) return state;
    }
}

function transcript({ position, tokens, asked }: Played): string[] {
    const start = core.start(position);
    if (hasFaults(start)) return [JSON.stringify(start)];
    const lines = [JSON.stringify([start, core.legalTokens()])];
    const ask = (at: number): void => {
        for (const each of asked) if (each.at === at) lines.push(JSON.stringify(decided(each)));
    };
    ask(0);
    for (const [index, token] of tokens.entries()) {
        lines.push(JSON.stringify([core.play(token), core.legalTokens()]));
        ask(index + 1);
    }
    return lines;
}

async function digest(lines: string[]): Promise<string> {
    const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(lines.join("\n")));
    return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

addEventListener("message", async ({ data }: MessageEvent<{ module: WebAssembly.Module } | Played[] | Played>) => {
    if ("module" in data) core = await Core.load(data.module, shouldPause);
    else if (Array.isArray(data)) postMessage(await Promise.all(data.map((game) => digest(transcript(game)))));
    else postMessage(transcript(data));
});
