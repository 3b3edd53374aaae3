/**
 * The native core, compiled to WebAssembly. Its rules, choices, effects, faults, records and levels are the same as on
 * the server.
 *
 * `make wasm` builds cairn.wasm; this file calls the functions that native/wasm exports. A core holds one game and one
 * search. Every call blocks until it is done, so pages use `GameClient` and `startSearch`, which run cores in workers.
 */

import type {
    Change,
    Faults,
    GameRecord,
    Judgement,
    LineOfPlay,
    LogEntry,
    LogEvent,
    Messages,
    Moment,
    Note,
    Odds,
    Outcome,
    Played,
    PuzzleMoment,
    Refused,
    Retry,
    Review,
    SearchState,
    TribeName,
    VariantName,
} from "./messages.ts";

export type * from "./messages.ts";

interface Exports {
    memory: WebAssembly.Memory;
    _initialize(): void;
    input(size: number): number;
    output(): number;
    start(): number;
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
    load_network(): number;
    clear(): void;
    perft(depth: number): number;
    local_deal(variant: number, first: number): number;
    local_open(forest: number, sea: number): number;
    local_play_on(ended: number): number;
    local_follow(): number;
    local_play(tribe: number, revision: number, hold: number): number;
    local_play_computer(revision: number): number;
    local_undo(scope: number, revision: number): number;
    local_confirm(revision: number): number;
    local_revert(): number;
    local_view(): number;
    local_line(): number;
    local_to_game(): void;
    study(): number;
    puzzle_judge(attacker: number, before: number, turns: number): number;
    puzzle_odds(attacker: number, before: number, turns: number): number;
    review_plan(nodes: number): number;
    review_unit(unit: number): number;
    review_assemble(): number;
    review_retry(index: number): number;
}

const VARIANTS: readonly VariantName[] = ["beginner", "standard", "expert"];
const TRIBES: readonly TribeName[] = ["forest", "sea"];

/** Encodes a log entry as the texts that the core expects. */
function textsOf(entry: LogEvent): string[] {
    switch (entry.kind) {
        case "token":
            return [entry.kind, entry.data.token, String(entry.data.hold)];
        case "undo":
            return [entry.kind, String(entry.data.tokens)];
        case "end":
            return [entry.kind, entry.data.winner ?? "", entry.data.reason];
        default:
            return [entry.kind];
    }
}

/** Whether a command was refused. */
export function isRefusal<Answer extends object>(answer: Answer | Refused): answer is Refused {
    return "refused" in answer;
}

/** Whether a text or a token was rejected. */
export function hasFaults<Answer extends object>(answer: Answer | Faults): answer is Faults {
    return "faults" in answer;
}

export class Core {
    /**
     * Instantiates a compiled core. A search calls `shouldPause` about every 0.2 ms. Soon after `shouldPause` returns
     * true, `proceed` returns.
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

    /** Starts a game from a position, which must be at the start of a turn. */
    start(position: string): Moment | Faults {
        this.#write(position);
        return this.#answer(this.#exports.start());
    }

    /** The legal tokens in ASCII order, including draws. */
    legalTokens(): string[] {
        return this.#answer(this.#exports.legal_tokens());
    }

    /** Plays a token, or returns why it was refused. */
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

    /** Reads a record. Its game becomes the current game. */
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
        this.#writeTexts(texts);
        return this.#answer(this.#exports.write_record());
    }

    /**
     * Starts a search. A limit of 0 means no limit. `only` are the first tokens to consider; if none of them is legal,
     * all are. Returns false if no tribe has to decide.
     */
    beginSearch(nodes: number, depth: number, lines: number, only: readonly string[] = []): boolean {
        this.#write(only.join(" "));
        return this.#exports.begin_search(nodes, depth, lines) !== 0;
    }

    /**
     * Lets a level from 1 to 10 decide. The same seed gives the same token as in Python. Returns false if no tribe has
     * to decide or there is no such level.
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

    /**
     * Lets searches use a trained evaluation; levels keep the hand-made one. Returns false if the bytes are not a file of
     * weights, and changes nothing.
     */
    loadNetwork(weights: Uint8Array): boolean {
        this.#writeBytes(weights);
        return this.#exports.load_network() !== 0;
    }

    /** Clears the results of earlier searches. */
    clear(): void {
        this.#exports.clear();
    }

    /** Counts the token sequences of length `depth`, for tests. */
    perft(depth: number): number {
        return this.#exports.perft(depth);
    }

    /** Deals a local game from a key. If `first` is `null`, the key also determines which tribe goes first. */
    deal(key: Uint8Array, variant: VariantName, first: TribeName | null): string {
        this.#writeBytes(key);
        return this.#answer(this.#exports.local_deal(VARIANTS.indexOf(variant), first ? TRIBES.indexOf(first) : -1));
    }

    /** Opens a local game from its log. `levels` are the computer's levels for Forest and Sea; 0 means a person. */
    open(
        key: Uint8Array,
        start: string,
        levels: readonly [number, number],
        entries: readonly LogEntry[],
    ): Change | Refused {
        this.#writeTexts([key, start, ...entries.flatMap(textsOf)]);
        return this.#answer(this.#exports.local_open(...levels));
    }

    /** Plays tokens in a local game with an empty log, then ends the game if `end` is given, or draws pending tiles. */
    playOn(tokens: readonly string[], end: LogEvent | null): Change | Refused {
        this.#writeTexts([...(end ? textsOf(end) : []), ...tokens]);
        return this.#answer(this.#exports.local_play_on(Number(end !== null)));
    }

    /** Applies entries that continue the log of the local game. */
    follow(entries: readonly LogEntry[]): Change | Refused {
        this.#writeTexts(entries.flatMap(textsOf));
        return this.#answer(this.#exports.local_follow());
    }

    /** Plays a person's token in the local game. */
    playLocal(token: string, tribe: TribeName, revision: number, hold: boolean): Change | Refused {
        this.#write(token);
        return this.#answer(this.#exports.local_play(TRIBES.indexOf(tribe), revision, Number(hold)));
    }

    /** Plays the token that the computer found in the local game at this revision. */
    playComputer(token: string, revision: number): Change | Refused {
        this.#write(token);
        return this.#answer(this.#exports.local_play_computer(revision));
    }

    /** Takes back a step or a turn of the local game. */
    undoLocal(scope: "step" | "turn", revision: number): Change | Refused {
        return this.#answer(this.#exports.local_undo(Number(scope === "turn"), revision));
    }

    /** Confirms the held turn or draw of the local game. */
    confirm(revision: number): Change | Refused {
        return this.#answer(this.#exports.local_confirm(revision));
    }

    /** Undoes the last change to the local game. Returns the whole game, or `null` if there is no change to undo. */
    revert(): Change | null {
        return this.#answer(this.#exports.local_revert());
    }

    /** The whole local game; `null` if there is none. */
    view(): Change | null {
        return this.#answer(this.#exports.local_view());
    }

    /** The starting position of the local game and the tokens played since. */
    line(): LineOfPlay {
        return this.#answer(this.#exports.local_line());
    }

    /** Writes the local game as a record. */
    writeLocalRecord(headers: GameRecord["headers"]): { text: string } | Faults {
        this.#exports.local_to_game();
        return this.writeRecord(headers, []);
    }

    /** Plays tokens from a position, independently of the current game. */
    study(position: string, tokens: readonly string[]): Messages["LineView"] | Refused {
        this.#writeTexts([position, ...tokens]);
        return this.#answer(this.#exports.study());
    }

    /** Judges every decision at a moment of a puzzle. Returns `null` if the line cannot be played. */
    judge({ position, tokens, before, attacker, turns }: PuzzleMoment): Judgement | null {
        this.#writeTexts([position, ...tokens]);
        return this.#answer(this.#exports.puzzle_judge(TRIBES.indexOf(attacker), before, turns));
    }

    /** The exact chances at a moment of a puzzle. Returns `null` if the line cannot be played or is too long. */
    odds({ position, tokens, before, attacker, turns }: PuzzleMoment): Odds[] | null {
        this.#writeTexts([position, ...tokens]);
        return this.#answer(this.#exports.puzzle_odds(TRIBES.indexOf(attacker), before, turns));
    }

    /**
     * Plans the review of the current game. If `nodes` is 0, uses the default number of nodes. Returns the weight of
     * each unit.
     */
    planReview(nodes = 0): number[] | null {
        return this.#answer(this.#exports.review_plan(nodes));
    }

    /** Searches a unit of the planned review. Returns its findings, or `null` if there is no such unit. */
    reviewUnit(unit: number): string | null {
        return this.#answer(this.#exports.review_unit(unit));
    }

    /** Puts together the findings of all units, in order. Returns `null` if they do not fit the game. */
    assembleReview(findings: readonly string[]): Review | null {
        this.#writeTexts(findings);
        return this.#answer(this.#exports.review_assemble());
    }

    /** Judges a token as a replacement for the token at `index`. Returns `null` if it cannot be tried. */
    retry(index: number, token: string): Retry | null {
        this.#write(token);
        return this.#answer(this.#exports.review_retry(index));
    }

    #writeTexts(texts: readonly (string | Uint8Array)[]): void {
        const encoded = texts.map((text) => (typeof text === "string" ? new TextEncoder().encode(text) : text));
        const bytes = new Uint8Array(encoded.reduce((size, text) => size + 4 + text.length, 0));
        let at = 0;
        for (const text of encoded) {
            new DataView(bytes.buffer).setUint32(at, text.length, true);
            bytes.set(text, at + 4);
            at += 4 + text.length;
        }
        this.#writeBytes(bytes);
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
