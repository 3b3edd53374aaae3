/**
 * A puzzle as the source of a game. The core judges every decision, so that this code contains no rules: it plays the
 * longest defence while the player's decisions are right, and the refutation if they are not.
 */
import type { Line, TribeName } from "../../lib/client";
import type { Judgement, Odds, PuzzleMoment } from "../../lib/device/puzzles";
import type { GameFollower, GameSource, TokenToPlay } from "../../lib/source";
import type { Study } from "../exercise/exerciseCore";
import { asProblem, viewOf } from "../exercise/view";
import { split, type Puzzle } from "./puzzle";

/**
 * Why an attempt failed: the enemy's answer or a drawn tile ends the forced win, the turns are over, the enemy wins, or
 * the chance is not the best.
 */
export type Refutation =
    { reason: "answer" | "draw" | "late" | "lost" | "nothing" } | { reason: "odds"; chance: readonly [number, number] };

export type PuzzleState = "open" | "refuted" | "solved" | "shown";

export interface PuzzleCore {
    study: Study;
    judge: (moment: PuzzleMoment) => Promise<Judgement>;
    odds: (moment: PuzzleMoment) => Promise<Odds[]>;
}

export interface PuzzleListener {
    /** Called when the state may have changed, before the board shows it. `count` is the number of tokens played. */
    changed: (state: PuzzleState, count: number, refutation: Refutation | null) => void;
}

interface Reply {
    tokens: readonly string[];
    state: PuzzleState;
    refutation: Refutation | null;
}

/** How far to look for the enemy's own win among its refutations, in turns. */
const ENEMY_TURNS = 3;

export class PuzzleSource implements GameSource {
    readonly id: string;
    readonly table = null;
    readonly takeOver = null;
    readonly #puzzle: Puzzle;
    readonly #core: PuzzleCore;
    readonly #listener: PuzzleListener;
    readonly #start: readonly string[];
    #follower: GameFollower | null = null;
    #tokens: readonly string[];
    #state: PuzzleState = "open";
    #revision = 0;
    /** Counts the player's commands. An answer that arrives after the next command is dropped. */
    #command = 0;

    constructor(puzzle: Puzzle, core: PuzzleCore, listener: PuzzleListener) {
        this.id = `puzzle-${puzzle.id}`;
        this.#puzzle = puzzle;
        this.#core = core;
        this.#listener = listener;
        this.#start = split(puzzle.tokens);
        this.#tokens = this.#start;
    }

    follow(follower: GameFollower): () => void {
        this.#follower = follower;
        this.refresh().then(
            () => follower.connection("connected"),
            (problem: unknown) => this.#follower?.problem(asProblem(problem)),
        );
        return () => {
            this.#follower = null;
        };
    }

    async play({ token }: TokenToPlay): Promise<void> {
        if (this.#state !== "open") return;
        const command = ++this.#command;
        await this.#show(await this.#replyTo(token), command);
    }

    /** Go back to the start of the puzzle. */
    restart(): Promise<void> {
        return this.#show({ tokens: this.#start, state: "open", refutation: null }, ++this.#command);
    }

    /** Play the solution from the start. */
    solve(): Promise<void> {
        const tokens = [...this.#start, ...split(this.#puzzle.solution)];
        return this.#show({ tokens, state: "shown", refutation: null }, ++this.#command);
    }

    /**
     * A right token for the decision that the player has to make now; `null` if there is none any more, and `undefined`
     * if the player has given another command meanwhile.
     */
    async hint(): Promise<string | null | undefined> {
        const [first = null] = split(this.#puzzle.solution);
        if (this.#tokens.length === this.#start.length) return first;
        const command = this.#command;
        const { tokens } = await this.#judge(this.#tokens);
        if (command !== this.#command) return undefined;
        const right = tokens.filter(({ turns }) => turns > 0 === (this.#puzzle.goal === "win"));
        return this.#soonest(right)?.token ?? null;
    }

    async refresh(): Promise<void> {
        await this.#show({ tokens: this.#tokens, state: this.#state, refutation: null }, this.#command);
    }

    undo(): Promise<void> {
        return Promise.resolve();
    }

    confirm(): Promise<void> {
        return Promise.resolve();
    }

    record(): Promise<string> {
        return Promise.reject(new Error("a puzzle has no record"));
    }

    async #replyTo(token: string): Promise<Reply> {
        const tokens = [...this.#tokens, token];
        if (this.#puzzle.goal === "odds") return this.#replyToOdds(tokens, token);
        return this.#puzzle.goal === "win" ? this.#replyToAttack(tokens) : this.#replyToDefence(tokens);
    }

    /** Answer a decision that should force a win. */
    async #replyToAttack(played: readonly string[]): Promise<Reply> {
        let tokens = played;
        /** What shows that the win is no longer forced, once something has shown it. */
        let shown: "answer" | "draw" | null = null;
        for (;;) {
            const judged = await this.#judge(tokens);
            if (judged.winner === this.#puzzle.plays) return { tokens, state: "solved", refutation: null };
            if (judged.winner !== null) return refuted(tokens, "lost");
            if (judged.turns === 0) return refuted(tokens, "late");
            if (judged.decider === this.#puzzle.plays)
                return shown ? refuted(tokens, shown) : { tokens, state: "open", refutation: null };
            const refuting = judged.tokens.filter(({ turns }) => turns === 0);
            const byChance = judged.decider === "chance";
            if (refuting.length > 0 && !(byChance && refuting.length === judged.tokens.length))
                shown ??= byChance ? "draw" : "answer";
            const next = refuting.length > 0 ? await this.#strongest(tokens, refuting) : longest(judged.tokens);
            if (next === undefined) return refuted(tokens, "late");
            tokens = [...tokens, next];
        }
    }

    /** Answer a decision that should prevent a win of the enemy. */
    async #replyToDefence(played: readonly string[]): Promise<Reply> {
        let tokens = played;
        let answered = false;
        for (;;) {
            const judged = await this.#judge(tokens);
            if (judged.winner === this.#enemy) return refuted(tokens, "lost");
            if (judged.decider === this.#puzzle.plays && !answered) return { tokens, state: "open", refutation: null };
            const winning = judged.tokens.filter(({ turns }) => turns > 0);
            // The enemy needs one token that wins; against chance and the player, all have to win.
            const wins = judged.decider === this.#enemy ? winning.length > 0 : winning.length === judged.tokens.length;
            if (judged.winner !== null || !wins || winning.length === 0)
                return { tokens, state: "solved", refutation: null };
            answered ||= judged.decider === this.#enemy;
            const next = judged.decider === this.#enemy ? this.#soonest(winning)?.token : longest(winning);
            if (next === undefined) return { tokens, state: "solved", refutation: null };
            tokens = [...tokens, next];
        }
    }

    async #replyToOdds(tokens: readonly string[], token: string): Promise<Reply> {
        const odds = await this.#core.odds(this.#moment(this.#tokens));
        const tried = odds.find((each) => each.token === token);
        if (!tried || tried.best) return { tokens, state: "solved", refutation: null };
        return { tokens, state: "refuted", refutation: { reason: "odds", chance: tried.chance } };
    }

    /** The refutation that wins soonest for the enemy, or else the first one. */
    async #strongest(tokens: readonly string[], refuting: Judgement["tokens"]): Promise<string | undefined> {
        const judged = await this.#core.judge({
            position: this.#puzzle.position,
            tokens: [...tokens],
            before: tokens.length,
            attacker: this.#enemy,
            turns: ENEMY_TURNS,
        });
        const winning = judged.tokens.filter(
            ({ token, turns }) => turns > 0 && refuting.some((each) => each.token === token),
        );
        return (this.#soonest(winning) ?? refuting[0])?.token;
    }

    #soonest(tokens: Judgement["tokens"]): Judgement["tokens"][number] | undefined {
        return [...tokens].sort((one, other) => one.turns - other.turns)[0];
    }

    get #enemy(): TribeName {
        return this.#puzzle.plays === "forest" ? "sea" : "forest";
    }

    #judge(tokens: readonly string[]): Promise<Judgement> {
        return this.#core.judge(this.#moment(tokens));
    }

    #moment(tokens: readonly string[]): PuzzleMoment {
        const { position, goal, plays, turns } = this.#puzzle;
        const attacker = goal === "defend" ? this.#enemy : plays;
        return { position, tokens: [...tokens], before: this.#start.length, attacker, turns };
    }

    async #show({ tokens, state, refutation }: Reply, command: number): Promise<void> {
        if (command !== this.#command) return;
        const line: Line = await this.#core.study(this.#puzzle.position, tokens);
        if (command !== this.#command) return;
        // If the core fails before this line, the decision can be made again.
        this.#tokens = tokens;
        this.#state = state;
        this.#revision += 1;
        this.#listener.changed(state, tokens.length - this.#start.length, refutation);
        this.#follower?.game(viewOf(this.id, this.#puzzle.plays, this.#revision, line, state === "open"));
    }
}

function refuted(tokens: readonly string[], reason: "answer" | "draw" | "late" | "lost"): Reply {
    return { tokens, state: "refuted", refutation: { reason } };
}

/** The token after which the win takes longest. */
function longest(tokens: Judgement["tokens"]): string | undefined {
    return tokens.reduce<Judgement["tokens"][number] | undefined>(
        (best, each) => (best && best.turns >= each.turns ? best : each),
        undefined,
    )?.token;
}
