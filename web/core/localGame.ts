/**
 * A game without a server: the device is the authority. The core executes every command. This class keeps the header
 * and the times, and recognises repeated commands. The secret key for draws exists only in the worker and in the
 * stored game.
 */
import { findBuilds, type Build } from "./builds.ts";
import {
    type Change,
    type Core,
    type Faults,
    type GameRecord,
    hasFaults,
    isRefusal,
    type Judgement,
    type LineOfPlay,
    type LogEntry,
    type LogEvent,
    type Messages,
    type Note,
    type Odds,
    type Outcome,
    type PuzzleMoment,
    type Refused,
    type TribeName,
    type VariantName,
} from "./core.ts";

export { type Build } from "./builds.ts";
export { isRefusal, type Judgement, type LineOfPlay, type LogEntry, type Refusal, type Refused } from "./core.ts";

export type GameView = Messages["GameView"];
export type Update = Messages["Update"];
type Seats = Messages["Seats"];
type Seat = Messages["Seat"];

/** The part of a game's data that never changes after creation. */
export interface GameHeader {
    id: string;
    created: string;
    /** `null` for a game from a given position. */
    variant: VariantName | null;
    /** The starting position. */
    start: string;
    seats: Seats;
    /** The secret that determines the deal and the draws, in hexadecimal. Never pass it to a search. */
    seed: string;
}

/** A game as it is stored. */
export interface StoredGame {
    header: GameHeader;
    entries: LogEntry[];
}

/** A game to create. The fields are those of the server's `POST /api/games`; fields with defaults may be omitted. */
export interface NewGame {
    seats: Record<TribeName, Pick<Seat, "kind"> & Partial<Seat>>;
    variant?: VariantName;
    first?: TribeName | null;
    position?: string | null;
    tokens?: readonly string[];
}

export interface Opened extends StoredGame {
    view: GameView;
    /** The level of the computer that has to decide now, if any. */
    waitsForComputer: number | null;
}

/** The result of a command. Store the entries, then show the update. After a repeated command, there are no entries. */
export interface Changed {
    entries: LogEntry[];
    update: Update;
    waitsForComputer: number | null;
}

const SEED_BYTES = 32;
const LONGEST_NAME = 60;
/** Matches the computer's name in a record. */
const COMPUTER = /^level ([1-9]|10)$/;

export class LocalGame {
    readonly #core: Core;
    readonly #now: () => Date;
    #header: GameHeader | null = null;
    #changed = "";
    /** The keys of the commands in the log. */
    #commands = new Set<string>();
    /** For `revert`: the time of the change before the last one, and the key of the last command. */
    #before: { changed: string; command: string | null } = { changed: "", command: null };

    constructor(core: Core, now: () => Date = () => new Date()) {
        this.#core = core;
        this.#now = now;
    }

    /** Creates a game. Deals it, or starts from the given position and plays the given tokens. */
    create(game: NewGame, id: string): Opened | Refused {
        const seats = { forest: seatOf(game.seats.forest), sea: seatOf(game.seats.sea) };
        if (seats.forest.kind === "computer" && seats.sea.kind === "computer") return refused("no-person");
        const seed = crypto.getRandomValues(new Uint8Array(SEED_BYTES));
        const { position = null, variant = "beginner", first = null, tokens = [] } = game;
        const start = position ?? this.#core.deal(seed, variant, first);
        const header = { id, variant: position === null ? variant : null, start, seats, seed: hexOf(seed) };
        return this.#begin(header, tokens, null);
    }

    /**
     * Creates a game from a record and plays its tokens. An unfinished game continues against the computer at the
     * recorded level, or between two people. Comments and marks are dropped.
     */
    createFromRecord(bytes: Uint8Array, id: string): Opened | Refused {
        const record = this.#core.readRecord(bytes);
        if (hasFaults(record)) return refused("malformed", record);
        const headers = new Map(record.headers);
        const { outcome } = record.moment;
        const seats = seatsOf(headers, outcome === null);
        const variant = (["beginner", "standard", "expert"] as const).find((each) => each === headers.get("Variant"));
        const seed = crypto.getRandomValues(new Uint8Array(SEED_BYTES));
        const header = { id, variant: variant ?? null, start: record.position, seats, seed: hexOf(seed) };
        const end: LogEvent | null = record.declared ? { kind: "end", data: record.declared } : null;
        return this.#begin(header, record.tokens, end);
    }

    /** The legal tokens after a line of play, including the tiles that may be drawn; empty if the line is not legal. */
    legalTokens({ position, tokens }: LineOfPlay): string[] {
        const isLegal =
            !hasFaults(this.#core.start(position)) && !tokens.some((token) => hasFaults(this.#core.play(token)));
        return isLegal ? this.#core.legalTokens() : [];
    }

    /** Reads a record, with its comments and marks. */
    readRecord(bytes: Uint8Array): GameRecord | Faults {
        return this.#core.readRecord(bytes);
    }

    /** Writes a line of play as a record. `declared` is how the game ended if the players ended it. */
    writeRecord(
        { position, tokens }: LineOfPlay,
        declared: Outcome | null,
        headers: GameRecord["headers"],
        notes: readonly Note[],
    ): { text: string } | Faults {
        const start = this.#core.start(position);
        if (hasFaults(start)) return start;
        for (const token of tokens) {
            const played = this.#core.play(token);
            if (hasFaults(played)) return played;
        }
        if (declared) this.#core.end(declared);
        return this.#core.writeRecord(headers, notes);
    }

    /** Opens a stored game. */
    open({ header, entries }: StoredGame): Opened | Refused {
        const change = this.#core.open(bytesOf(header.seed), header.start, levelsOf(header.seats), entries);
        if (isRefusal(change)) return change;
        this.#header = header;
        this.#changed = entries.at(-1)?.at ?? header.created;
        this.#commands = new Set(entries.flatMap(({ data }) => data.command ?? []));
        return { header, entries, view: this.#view(change), waitsForComputer: change.level || null };
    }

    /** Applies log entries that another page has stored. */
    follow(entries: LogEntry[]): Changed | Refused {
        const change = this.#core.follow(entries);
        if (isRefusal(change)) return change;
        this.#changed = entries.at(-1)?.at ?? this.#changed;
        for (const { data } of entries) if (data.command) this.#commands.add(data.command);
        return { ...this.#answer(change), entries: [] };
    }

    /** Plays a person's token. With `hold`, a complete turn or a draw waits for `confirm`. */
    play(command: {
        token: string;
        tribe: TribeName;
        revision: number;
        hold?: boolean;
        id?: string;
    }): Changed | Refused {
        const { token, tribe, revision, hold = false, id } = command;
        return this.#execute(id, () => this.#core.playLocal(token, tribe, revision, hold));
    }

    undo({ scope, revision, id }: { scope: "step" | "turn"; revision: number; id?: string }): Changed | Refused {
        return this.#execute(id, () => this.#core.undoLocal(scope, revision));
    }

    confirm({ revision, id }: { revision: number; id?: string }): Changed | Refused {
        return this.#execute(id, () => this.#core.confirm(revision));
    }

    /** Plays the computer's token. The token is refused if the game has changed since `revision`. */
    computerPlayed({ token, revision }: { token: string; revision: number }): Changed | Refused {
        return this.#execute(undefined, () => this.#core.playComputer(token, revision));
    }

    /** Undoes the last command. Call this if its entries could not be stored. */
    revert(): GameView {
        const change = this.#core.revert();
        if (!change) throw new Error("there is no command to revert");
        this.#changed = this.#before.changed;
        if (this.#before.command) this.#commands.delete(this.#before.command);
        return this.#view(change);
    }

    view(): GameView {
        return this.#view(this.#whole());
    }

    /** The level of the computer that has to decide now, if any. */
    waitsForComputer(): number | null {
        return this.#whole().level || null;
    }

    /** The game so far, for `startSearch`. */
    line(): LineOfPlay {
        return this.#core.line();
    }

    /** The game as a record. */
    record(): { text: string } | Faults {
        const { variant, seats, created } = this.#known();
        const headers: [string, string | null][] = [
            ["Variant", variant],
            ["Forest", recordName(seats.forest)],
            ["Sea", recordName(seats.sea)],
            ["Date", created.slice(0, 10).replaceAll("-", ".")],
        ];
        return this.#core.writeLocalRecord(headers.filter((header): header is [string, string] => Boolean(header[1])));
    }

    /** Plays tokens from a position, independently of this game. */
    study(position: string, tokens: readonly string[] = []): Messages["LineView"] | Refused {
        return this.#core.study(position, tokens);
    }

    /** What the decisions at a moment of a puzzle lead to, independently of this game. */
    judge(moment: PuzzleMoment): Judgement | null {
        return this.#core.judge(moment);
    }

    /** The exact chances at a moment of a puzzle, independently of this game. */
    odds(moment: PuzzleMoment): Odds[] | null {
        return this.#core.odds(moment);
    }

    /** How the tribe to move could score this turn, independently of this game; see `findBuilds`. */
    builds(position: string): Build[] | null {
        return findBuilds(this.#core, position);
    }

    #begin(header: Omit<GameHeader, "created">, tokens: readonly string[], end: LogEvent | null): Opened | Refused {
        const created = this.#time();
        const opened = this.open({ header: { ...header, created }, entries: [] });
        if (isRefusal(opened)) return opened;
        const change = this.#core.playOn(tokens, end);
        if (isRefusal(change)) return change;
        const { entries } = this.#stamp(change, created, null);
        return { ...opened, entries, view: this.view(), waitsForComputer: change.level || null };
    }

    #execute(id: string | undefined, decide: () => Change | Refused): Changed | Refused {
        const command = id === undefined ? null : `all ${id}`; // the key that the server uses in local games
        if (command && this.#commands.has(command)) return this.#unchanged();
        const change = decide();
        return isRefusal(change) ? change : this.#stamp(change, this.#time(), command);
    }

    /** Adds the time to each entry, and the key of the command to the last entry. */
    #stamp(change: Change, at: string, command: string | null): Changed {
        const entries = change.entries.map((entry) => ({ ...entry, at }) as LogEntry);
        const last = entries.at(-1);
        if (last && command) last.data = { ...last.data, command };
        this.#before = { changed: this.#changed, command };
        this.#changed = at;
        if (command) this.#commands.add(command);
        return { ...this.#answer(change), entries };
    }

    /** The result of a repeated command. */
    #unchanged(): Changed {
        const { update, level } = this.#whole();
        const { revision, steps, now } = update;
        const nothing = { base: revision, revision, kept: steps.length, steps: [], now };
        return this.#answer({ entries: [], update: nothing, level });
    }

    #answer({ update, level }: Change): Changed {
        const message = { game: this.#known().id, ...update, players: null, proof: null };
        return { entries: [], update: message, waitsForComputer: level || null };
    }

    #view({ update: { revision, steps, now } }: Change): GameView {
        const { id, created, variant, start, seats } = this.#known();
        const you = (["forest", "sea"] as const).filter((tribe) => seats[tribe].kind === "person");
        const fixed = { kind: "local" as const, rated: false, players: null, proof: null };
        return { id, created, changed: this.#changed, variant, seats, start, revision, steps, now, ...fixed, you };
    }

    #whole(): Change {
        const change = this.#core.view();
        if (!change) throw new Error("no game is open: call create, createFromRecord or open first");
        return change;
    }

    #known(): GameHeader {
        if (!this.#header) throw new Error("no game is open: call create, createFromRecord or open first");
        return this.#header;
    }

    #time(): string {
        return this.#now().toISOString();
    }
}

function refused(kind: string, { faults }: Faults = { faults: [] }): Refused {
    return { refused: { kind, tribe: null, faults } };
}

function seatOf({ kind, level = null, name = null }: NewGame["seats"][TribeName]): Seat {
    return { kind, level, name };
}

function person(name: string | undefined): Seat {
    return { kind: "person", level: null, name: name?.slice(0, LONGEST_NAME) || null };
}

/** The seats of a game from a record. If the computer played both tribes, people take over. */
function seatsOf(headers: ReadonlyMap<string, string>, isRunning: boolean): Seats {
    const forest = COMPUTER.exec(headers.get("Forest") ?? "");
    const sea = COMPUTER.exec(headers.get("Sea") ?? "");
    const seats = { forest: person(headers.get("Forest")), sea: person(headers.get("Sea")) };
    const [tribe, found] = forest ? (["forest", forest] as const) : (["sea", sea] as const);
    if (!isRunning || !found || (forest && sea)) return seats;
    return { ...seats, [tribe]: { kind: "computer", level: Number(found[1]), name: null } };
}

function levelsOf(seats: Seats): [number, number] {
    return [seats.forest.level ?? 0, seats.sea.level ?? 0];
}

function recordName(seat: Seat): string | null {
    return seat.kind === "computer" ? `level ${seat.level}` : (seat.name ?? null);
}

function hexOf(bytes: Uint8Array): string {
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function bytesOf(hex: string): Uint8Array {
    return Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));
}
