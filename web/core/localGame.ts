/** A game without a server. It knows the order of the deck and reveals each tile only when it is drawn. */
import {
    type Core,
    type Faults,
    type GameRecord,
    isRefused,
    type Moment,
    type Note,
    type Outcome,
    type Played,
    type VariantName,
} from "./core.ts";

/** The game that a search gets: a position and the tokens since. It does not contain the order of undrawn tiles. */
export interface LineOfPlay {
    position: string;
    tokens: string[];
}

export class LocalGame {
    readonly #core: Core;
    #line: LineOfPlay = { position: "", tokens: [] };
    /** The shuffled megaliths. A draw takes the first one that can be drawn, so it is the same again after an undo. */
    #order: string[] = [];

    constructor(core: Core) {
        this.#core = core;
    }

    /** Deals a new game with the browser's random numbers (S1-S5). */
    deal(variant: VariantName): Moment {
        const order = shuffled(this.#core.tiles(variant));
        const moment = this.#core.deal(variant, order, randomBelow(16), randomBelow(2) === 0 ? "forest" : "sea");
        if (!moment) throw new Error(`the core refused to deal the variant ${variant}`);
        this.#order = order;
        this.#line = { position: moment.position, tokens: [] };
        return moment;
    }

    /** Starts from a position. Tiles whose order is unknown are shuffled. */
    start(position: string): Moment | Faults {
        const moment = this.#core.start(position);
        if (isRefused(moment)) return moment;
        this.#order = shuffled(this.#core.tiles("expert"));
        this.#line = { position, tokens: [] };
        return moment;
    }

    play(token: string): Played | Faults {
        const played = this.#core.play(token);
        if (!isRefused(played)) this.#line.tokens.push(token);
        return played;
    }

    /** Draws the next tile of the deck. Returns `null` if there is nothing to draw now. */
    draw(): Played | null {
        const possible = this.#core.legalTokens();
        const token = this.#order.map((tile) => `?${tile}`).find((each) => possible.includes(each));
        const played = token === undefined ? null : this.play(token);
        return played && !isRefused(played) ? played : null;
    }

    undo(): Moment | null {
        const moment = this.#core.undo();
        if (moment) this.#line.tokens.pop();
        return moment;
    }

    end(outcome: Outcome): Moment | null {
        return this.#core.end(outcome);
    }

    legalTokens(): string[] {
        return this.#core.legalTokens();
    }

    /** The game so far, for `startSearch`. */
    line(): LineOfPlay {
        return { position: this.#line.position, tokens: [...this.#line.tokens] };
    }

    readRecord(bytes: Uint8Array): GameRecord | Faults {
        const record = this.#core.readRecord(bytes);
        if (isRefused(record)) return record;
        this.#order = shuffled(this.#core.tiles("expert"));
        this.#line = { position: record.position, tokens: [...record.tokens] };
        return record;
    }

    writeRecord(headers: GameRecord["headers"], notes: readonly Note[]): { text: string } | Faults {
        return this.#core.writeRecord(headers, notes);
    }
}

/** A uniform random integer from 0 to `bound` - 1. Rejection sampling avoids modulo bias. */
function randomBelow(bound: number): number {
    const limit = 2 ** 32 - (2 ** 32 % bound);
    const [number = limit] = crypto.getRandomValues(new Uint32Array(1));
    return number < limit ? number % bound : randomBelow(bound);
}

/** The tiles in random order, every order equally likely. */
function shuffled(tiles: readonly string[]): string[] {
    const rest = [...tiles];
    return tiles.flatMap(() => rest.splice(randomBelow(rest.length), 1));
}
