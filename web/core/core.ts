/**
 * The native core as WebAssembly: the same rules, choices, effects and levels as on the server.
 *
 * `make wasm` builds cairn.wasm; native/wasm/interface.cpp is the other side of this file. A core holds one game. Every
 * call blocks until it is done, so run it in a worker.
 */

export type TribeName = "forest" | "sea";

export interface Choice {
    token: string;
    tile: "add" | "move" | "jump" | null;
    paths: string[][];
    power: string | null;
    aim: "shaman" | "megalith";
}

export interface Moment {
    position: string;
    phase: "action" | "build" | "draw" | "power" | "transform" | "over";
    decider: TribeName | "chance" | null;
    active: TribeName;
    power: string | null;
    focus: string | null;
    /** `null` while the game is in progress, and after a draw. */
    winner: TribeName | null;
    /** Empty while chance decides and after the end. */
    choices: Choice[];
}

export type Effect = { kind: string } & Record<string, string | number | null>;

export interface Played {
    effects: Effect[];
    moment: Moment;
}

export interface Line {
    /** Hundredths of a megalith for the decider; 30,000 - n is a proven win in n turns. */
    score: number;
    tokens: string[];
}

export interface Analysis {
    depth: number;
    nodes: number;
    /** Best first. */
    lines: Line[];
}

export interface Decision {
    depth: number;
    nodes: number;
    line: Line;
}

interface Exports {
    memory: WebAssembly.Memory;
    _initialize(): void;
    input(size: number): number;
    output(): number;
    start(): number;
    legal_tokens(): number;
    play(): number;
    undo(): number;
    search(nodes: number, depth: number, lines: number): number;
    clear(): void;
    decide(level: number, seed: bigint): number;
    perft(depth: number): number;
}

/** The core uses no files, but its C library imports these functions. */
const NO_FILES = { fd_close: () => 8, fd_seek: () => 8, fd_write: () => 8 };

export class Core {
    /**
     * Instantiates a compiled core. A search calls `shouldStop` every 512 nodes, about every 0.1 ms, and ends when it
     * returns true.
     */
    static async load(module: WebAssembly.Module, shouldStop: () => boolean = () => false): Promise<Core> {
        const instance = await WebAssembly.instantiate(module, {
            cairn: { should_stop: () => Number(shouldStop()) },
            wasi_snapshot_preview1: NO_FILES,
        });
        const exports = instance.exports as unknown as Exports;
        exports._initialize();
        return new Core(exports);
    }

    readonly #exports: Exports;

    private constructor(exports: Exports) {
        this.#exports = exports;
    }

    /** Starts a game at a position at the start of a turn; `null` if the text is not a valid position. */
    start(position: string): Moment | null {
        this.#write(position);
        return this.#answer(this.#exports.start());
    }

    /** The legal tokens in ASCII order, including the draws of chance. */
    legalTokens(): string[] {
        return this.#answer(this.#exports.legal_tokens());
    }

    /** Plays a token; `null` if it is not legal. */
    play(token: string): Played | null {
        this.#write(token);
        return this.#answer(this.#exports.play());
    }

    /** Takes back the last token; `null` if there is none. */
    undo(): Moment | null {
        return this.#answer(this.#exports.undo());
    }

    /**
     * Finds the best tokens; 0 means no limit. The results stay in memory until `clear`, so another call continues
     * quickly where a stopped one ended. Returns `null` if no tribe decides.
     */
    search(nodes: number, depth: number, lines: number): Analysis | null {
        return this.#answer(this.#exports.search(nodes, depth, lines));
    }

    /** Forgets the results of earlier searches. */
    clear(): void {
        this.#exports.clear();
    }

    /** Decides as a level from 1 to 10 does; the same seed gives the same token as in Python. */
    decide(level: number, seed: bigint): Decision | null {
        return this.#answer(this.#exports.decide(level, seed));
    }

    /** The number of token sequences of that length, for tests. */
    perft(depth: number): number {
        return this.#exports.perft(depth);
    }

    #write(text: string): void {
        const bytes = new TextEncoder().encode(text);
        const start = this.#exports.input(bytes.length);
        new Uint8Array(this.#exports.memory.buffer, start, bytes.length).set(bytes);
    }

    #answer<Answer>(size: number): Answer {
        const bytes = new Uint8Array(this.#exports.memory.buffer, this.#exports.output(), size);
        return JSON.parse(new TextDecoder().decode(bytes)) as Answer;
    }
}
