/**
 * The native core as WebAssembly: the same rules, choices, effects, faults, records and levels as on the server.
 *
 * `make wasm` builds cairn.wasm; this file calls the functions that native/wasm exports. A core holds one game and one
 * search. Every call blocks until it is done, so pages use `GameClient` and `startSearch`, which run it in a worker.
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

/** An error in a text, as data: the same kinds as on the server. The sentences are in the pages' messages. */
export interface Fault {
    kind: string;
    /** A field of the position, a header, or one of "token", "turn", "line", "byte", "note" and "result". */
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
    /** In hundredths of a megalith, from the decider's point of view; 30,000 - n is a proven win in n turns. */
    score: number;
    tokens: string[];
}

export interface SearchState {
    /** Whether the search has ended. */
    done: boolean;
    depth: number;
    nodes: number;
    /** Best first; a level's decision is a single line. */
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
     * Instantiates a compiled core. A search calls `shouldPause` about every 0.2 ms; soon after it returns true,
     * `proceed` returns.
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

    /** Starts a game from a position, which is always the start of a turn. */
    start(position: string): Moment | Faults {
        this.#write(position);
        return this.#answer(this.#exports.start());
    }

    /** The codes of a variant's megaliths. */
    tiles(variant: VariantName): string[] {
        return this.#answer(this.#exports.tiles(VARIANTS.indexOf(variant)));
    }

    /**
     * Deals a starting position. `order` lists the codes of the shuffled megaliths. Bits 0 to 3 of `faces` stand for
     * the add, move, jump and transformation tiles; a set bit shows the tile's second face. The position does not
     * reveal the order of the deck. Returns `null` unless `order` has every megalith of the variant exactly once.
     */
    deal(variant: VariantName, order: readonly string[], faces: number, first: TribeName): Moment | null {
        this.#write(order.join(""));
        return this.#answer(this.#exports.deal(VARIANTS.indexOf(variant), faces, TRIBES.indexOf(first)));
    }

    /** The legal tokens in ASCII order, including draws. */
    legalTokens(): string[] {
        return this.#answer(this.#exports.legal_tokens());
    }

    /** Plays a token, or returns the reason why it is refused. */
    play(token: string): Played | Faults {
        this.#write(token);
        return this.#answer(this.#exports.play());
    }

    /** Takes back the last token and any declared end. Returns `null` if no token has been played. */
    undo(): Moment | null {
        return this.#answer(this.#exports.undo());
    }

    /** Declares how the game ended. Returns `null` if it is already over or cannot end that way. */
    end({ winner, reason }: Outcome): Moment | null {
        this.#write(reason);
        return this.#answer(this.#exports.end(winner === null ? 0 : TRIBES.indexOf(winner) + 1));
    }

    /** Reads a record, and continues with its game. */
    readRecord(bytes: Uint8Array): GameRecord | Faults {
        this.#writeBytes(bytes);
        return this.#answer(this.#exports.read_record());
    }

    /** Writes the game as a record. The headers Result, Reason and Position are derived from the game. */
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

    /** Begins a search; 0 means no limit. Returns false if no tribe has to decide. */
    beginSearch(nodes: number, depth: number, lines: number): boolean {
        return this.#exports.begin_search(nodes, depth, lines) !== 0;
    }

    /**
     * Begins the decision of a level from 1 to 10; the same seed gives the same token as in Python. Returns false if no
     * tribe has to decide or there is no such level.
     */
    beginDecision(level: number, seed: bigint): boolean {
        return this.#exports.begin_decision(level, seed) !== 0;
    }

    /**
     * Continues a search until it ends or `shouldPause` returns true. The result does not depend on how often the
     * search pauses.
     */
    proceed(): SearchState {
        return this.#answer(this.#exports.proceed());
    }

    /** Ends a search early: the next call to `proceed` returns its final state. */
    abort(): void {
        this.#exports.abort_search();
    }

    /** Clears the results of earlier searches. */
    clear(): void {
        this.#exports.clear();
    }

    /** Counts the token sequences of that length, for tests. */
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
