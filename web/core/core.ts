/**
 * The native core as WebAssembly: the same rules, choices, effects, faults, records and levels as on the server.
 *
 * `make wasm` builds cairn.wasm; native/wasm is the other side of this file. A core holds one game and one search. Every
 * call blocks until it is done, so a page uses `GameClient` and `startSearch`, which run a core in a worker.
 */

export type TribeName = "forest" | "sea";
export type VariantName = "beginner" | "standard" | "expert";
export type ReasonName = "score" | "no-action" | "repetition" | "agreement" | "resignation" | "time" | "abandoned";

export interface Choice {
    token: string;
    tile: "add" | "move" | "jump" | null;
    paths: string[][];
    power: string | null;
    aim: "shaman" | "megalith";
}

export interface Outcome {
    /** `null` for a draw. */
    winner: TribeName | null;
    reason: ReasonName;
}

export interface Moment {
    position: string;
    phase: "action" | "build" | "draw" | "power" | "transform" | "over";
    decider: TribeName | "chance" | null;
    active: TribeName;
    power: string | null;
    focus: string | null;
    /** `null` while the game is in progress. */
    outcome: Outcome | null;
    /** Empty while chance decides and after the end. */
    choices: Choice[];
}

export type Effect = { kind: string } & Record<string, string | number | null>;

/** What is wrong with a text, as on the server; the messages have the sentences. */
export interface Fault {
    kind: string;
    /** A field of the position, a header, or "token", "turn", "line", "byte", "note", "result". */
    field: string;
    details: Record<string, string>;
}

export interface Faults {
    faults: Fault[];
}

export interface Played {
    effects: Effect[];
    moment: Moment;
}

export interface Note {
    /** The index of the token. */
    token: number;
    marks: number[];
    comments: string[];
}

export interface GameRecord {
    position: string;
    tokens: string[];
    headers: [name: string, value: string][];
    notes: Note[];
    moment: Moment;
}

export interface Line {
    /** Hundredths of a megalith for the decider; 30,000 - n is a proven win in n turns. */
    score: number;
    tokens: string[];
}

export interface SearchState {
    /** Whether the search has ended. */
    done: boolean;
    depth: number;
    nodes: number;
    /** Best first; the decision of a level is a single line. */
    lines: Line[];
}

interface Exports {
    memory: WebAssembly.Memory;
    _initialize(): void;
    input(size: number): number;
    output(): number;
    start(): number;
    deal(variant: number, faces: number, first: number): number;
    tiles(variant: number): number;
    legal_tokens(): number;
    play(): number;
    undo(): number;
    end(winner: number): number;
    read_record(): number;
    write_record(): number;
    begin_search(nodes: number, depth: number, lines: number): number;
    begin_decision(level: number, seed: bigint): number;
    proceed(): number;
    abort_search(): void;
    clear(): void;
    perft(depth: number): number;
}

const VARIANTS: readonly VariantName[] = ["beginner", "standard", "expert"];
const TRIBES: readonly TribeName[] = ["forest", "sea"];

export function isRefused<Answer extends object>(answer: Answer | Faults): answer is Faults {
    return "faults" in answer;
}

export class Core {
    /**
     * Instantiates a compiled core. A search calls `shouldPause` about every 0.2 ms; if it returns true, `proceed` soon
     * returns.
     */
    static async load(module: WebAssembly.Module, shouldPause: () => boolean = () => false): Promise<Core> {
        const instance = await WebAssembly.instantiate(module, {
            cairn: { should_pause: () => Number(shouldPause()) },
        });
        const exports = instance.exports as unknown as Exports;
        exports._initialize();
        return new Core(exports);
    }

    readonly #exports: Exports;

    private constructor(exports: Exports) {
        this.#exports = exports;
    }

    /** Starts a game at a position at the start of a turn. */
    start(position: string): Moment | Faults {
        this.#write(position);
        return this.#answer(this.#exports.start());
    }

    /** The codes of a variant's tiles. */
    tiles(variant: VariantName): string[] {
        return this.#answer(this.#exports.tiles(VARIANTS.indexOf(variant)));
    }

    /**
     * Deals a start with all tiles in this order; a bit of `faces` is set for each tile that shows its second face. The
     * position does not contain the order of the deck. Returns `null` unless each tile of the variant appears once.
     */
    deal(variant: VariantName, order: readonly string[], faces: number, first: TribeName): Moment | null {
        this.#write(order.join(""));
        return this.#answer(this.#exports.deal(VARIANTS.indexOf(variant), faces, TRIBES.indexOf(first)));
    }

    /** The legal tokens in ASCII order, including the draws of chance. */
    legalTokens(): string[] {
        return this.#answer(this.#exports.legal_tokens());
    }

    /** Plays a token, or returns the fault for which it is refused. */
    play(token: string): Played | Faults {
        this.#write(token);
        return this.#answer(this.#exports.play());
    }

    /** Takes back the last token and any declared end; `null` if there is no token. */
    undo(): Moment | null {
        return this.#answer(this.#exports.undo());
    }

    /** Declares how the game ended; `null` if it is over already, or cannot end that way. */
    end({ winner, reason }: Outcome): Moment | null {
        this.#write(reason);
        return this.#answer(this.#exports.end(winner === null ? 0 : TRIBES.indexOf(winner) + 1));
    }

    /** Reads a record and takes over its game. */
    readRecord(bytes: Uint8Array): GameRecord | Faults {
        this.#writeBytes(bytes);
        return this.#answer(this.#exports.read_record());
    }

    /** Writes the game as a record. The headers Result, Reason and Position follow from the game. */
    writeRecord(headers: GameRecord["headers"], notes: readonly Note[]): { text: string } | Faults {
        const texts = [String(headers.length), ...headers.flat()];
        for (const { token, marks, comments } of notes) {
            texts.push(String(token), String(marks.length), ...marks.map(String));
            texts.push(String(comments.length), ...comments);
        }
        const encoded = texts.map((text) => new TextEncoder().encode(text));
        const bytes = new Uint8Array(encoded.reduce((size, text) => size + 4 + text.length, 0));
        let at = 0;
        for (const text of encoded) {
            new DataView(bytes.buffer).setUint32(at, text.length, true);
            bytes.set(text, at + 4);
            at += 4 + text.length;
        }
        this.#writeBytes(bytes);
        return this.#answer(this.#exports.write_record());
    }

    /** Begins a search; 0 means no limit. Returns whether a tribe decides. */
    beginSearch(nodes: number, depth: number, lines: number): boolean {
        return this.#exports.begin_search(nodes, depth, lines) !== 0;
    }

    /** Begins the decision of a level from 1 to 10; the same seed gives the same token as in Python. */
    beginDecision(level: number, seed: bigint): boolean {
        return this.#exports.begin_decision(level, seed) !== 0;
    }

    /**
     * Continues a search until its end or until `shouldPause` returns true. However often it pauses, the result is the
     * same.
     */
    proceed(): SearchState {
        return this.#answer(this.#exports.proceed());
    }

    /** Ends a search early: the next call of `proceed` returns its last state. */
    abort(): void {
        this.#exports.abort_search();
    }

    /** Forgets the results of earlier searches. */
    clear(): void {
        this.#exports.clear();
    }

    /** The number of token sequences of that length, for tests. */
    perft(depth: number): number {
        return this.#exports.perft(depth);
    }

    #write(text: string): void {
        this.#writeBytes(new TextEncoder().encode(text));
    }

    #writeBytes(bytes: Uint8Array): void {
        const start = this.#exports.input(bytes.length);
        new Uint8Array(this.#exports.memory.buffer, start, bytes.length).set(bytes);
    }

    #answer<Answer>(size: number): Answer {
        const bytes = new Uint8Array(this.#exports.memory.buffer, this.#exports.output(), size);
        return JSON.parse(new TextDecoder().decode(bytes)) as Answer;
    }
}
