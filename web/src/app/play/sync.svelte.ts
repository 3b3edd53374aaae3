/** Keeps a game in sync with its source: the latest state and the pending commands. */
import { isTribe } from "@cairn/board/position";

import { persons } from "../../lib/people";
import { ApiProblem, type GameView, type Moment, type Step, type TribeName } from "../../lib/client";
import { newId } from "../../lib/ids";
import type { ConnectionState, GameSource, TokenToPlay } from "../../lib/source";
import { readJson, writeJson, type SafeStorage } from "../../lib/storage";
import type { UndoRefusal } from "../sentences/refusal";

export interface SyncOptions {
    source: GameSource;
    /** Whether a finished turn waits for confirmation. */
    hold: () => boolean;
    /** Stores a pending token across reloads. */
    memory: SafeStorage;
    onChange: (change: GameChange) => void;
    /** Called after a failure that the player should be told about. */
    onProblem: (problem: unknown) => void;
}

/** A change from one state of the game to another. */
export interface GameChange {
    /** `null` when the game is first received. */
    before: GameView | null;
    game: GameView;
    /** How many of the previous steps remain. */
    kept: number;
}

/** A token that has been sent to the authority but not yet acknowledged. */
export interface Pending extends TokenToPlay {
    /** How many steps the game had when the token was sent. */
    at: number;
}

/** Whether a step and a turn can be undone from this seat, or why not. */
export type Undoable = Record<"step" | "turn", true | UndoRefusal>;

export class GameSync {
    readonly #options: SyncOptions;
    readonly #key: string;
    #unfollow: (() => void) | undefined;

    /** The latest state from the source. */
    game = $state.raw<GameView | null>(null);
    /** Why the game cannot be shown at all. */
    problem = $state.raw<ApiProblem | null>(null);
    connection = $state<ConnectionState>("connecting");
    pending = $state.raw<Pending | null>(null);
    /** Whether an undo or a confirmation is pending. */
    busy = $state(false);
    /** When the current decision was first requested. */
    since = $state(Date.now());

    readonly steps: Step[] = $derived(this.game?.steps ?? []);
    readonly moment: Moment | null = $derived(this.game?.now ?? null);
    /** Whether this tab only watches the game: another tab is playing it, or it comes from a link. */
    readonly isWatching: boolean = $derived(this.connection === "following" || this.connection === "watching");
    /** The tribes played by people at this screen; empty for spectators, and while another tab is playing. */
    readonly mine: readonly TribeName[] = $derived(this.game && !this.isWatching ? tribesHere(this.game) : []);
    /** The same as `mine` if other players are elsewhere; `null` if all players are at this screen. */
    readonly limitedTo: readonly TribeName[] | null = $derived(
        this.game?.kind === "online" || this.isWatching ? this.mine : null,
    );
    /** Whether one of the tribes in `mine` has to decide now. */
    readonly asked: boolean = $derived(isAsked(this.moment, this.mine));
    /** What the people at this screen can undo without asking the opponent. */
    readonly undoable: Undoable = $derived(undoableBy(this.game, this.mine));
    /** Whether no command is pending. */
    readonly idle: boolean = $derived(!this.pending && !this.busy);

    constructor(options: SyncOptions) {
        this.#options = options;
        this.#key = `cairn.pending.${options.source.id}`;
    }

    start(): void {
        this.#unfollow = this.#options.source.follow({
            game: (game) => this.#receive(game),
            connection: (state) => (this.connection = state),
            problem: (problem) => (this.problem = problem),
            failed: this.#options.onProblem,
        });
    }

    /** Whether the game page is open. The response to a command may arrive after the player has left it. */
    get isFollowing(): boolean {
        return this.#unfollow !== undefined;
    }

    /** Try again to show a game that could not be shown. */
    retry(): void {
        this.stop();
        this.problem = null;
        this.start();
    }

    stop(): void {
        this.#unfollow?.();
        this.#unfollow = undefined;
    }

    /** The position after `count` steps. */
    positionAt(count: number): string {
        return (count > 0 ? this.steps[count - 1]?.position : undefined) ?? this.game?.start ?? "";
    }

    async play(token: string): Promise<void> {
        const { game, moment } = this;
        const tribe = moment?.decider;
        if (!game || this.pending || !isTribe(tribe)) return;
        const { revision, steps } = game;
        await this.#send({ id: newId(), token, tribe, revision, hold: this.#options.hold(), at: steps.length });
    }

    async undo(scope: "step" | "turn"): Promise<void> {
        await this.#ask((revision) => this.#options.source.undo(revision, scope));
    }

    async confirm(): Promise<void> {
        await this.#ask((revision) => this.#options.source.confirm(revision));
    }

    #receive(game: GameView): void {
        const before = this.game;
        // Offers change the revision, but a pending token still applies.
        if (this.pending && (game.steps.length !== this.pending.at || game.now.outcome)) this.#setPending(null);
        this.game = game;
        if (!before || asksAnew(before, game)) this.since = Date.now();
        this.#options.onChange({ before, game, kept: keptSteps(before, game) });
        if (!before) this.#resume(game);
    }

    async #send(pending: Pending): Promise<void> {
        this.#setPending(pending);
        const { id, token, tribe, revision, hold } = pending;
        try {
            await this.#options.source.play({ id, token, tribe, revision, hold });
            if (this.pending === pending) this.#setPending(null);
        } catch (problem) {
            if (this.pending !== pending || !this.isFollowing) return;
            this.#setPending(null);
            await this.#fail(problem);
        }
    }

    /** Set the pending token, which is stored across reloads until it is acknowledged. */
    #setPending(pending: Pending | null): void {
        this.pending = pending;
        if (pending) writeJson(this.#options.memory, this.#key, pending);
        else this.#options.memory.removeItem(this.#key);
    }

    /** Resend a token that was pending when the page was closed, if the game is still waiting for it. */
    #resume(game: GameView): void {
        const pending = readJson(this.#options.memory, this.#key) as Pending | null;
        if (!pending) return;
        // Compare steps instead of revisions, because pausing the clock changes the revision.
        if (pending.at === game.steps.length && !game.now.outcome) void this.#send(pending);
        else this.#setPending(null);
    }

    async #ask(request: (revision: number) => Promise<void>): Promise<void> {
        if (!this.game) return;
        this.busy = true;
        try {
            await request(this.game.revision);
        } catch (problem) {
            await this.#fail(problem);
        } finally {
            this.busy = false;
        }
    }

    /** Report a problem and, after a refusal, fetch the current game. */
    async #fail(problem: unknown): Promise<void> {
        this.#options.onProblem(problem);
        if (!(problem instanceof ApiProblem) || !problem.isRefusal) return;
        try {
            await this.#options.source.refresh();
        } catch (again) {
            this.#options.onProblem(again);
        }
    }
}

/** Whether a change leads to a new decision. An offer, for example, does not. */
export function asksAnew(before: GameView, game: GameView): boolean {
    const [old, now] = [before.now, game.now];
    return before.steps.length !== game.steps.length || old.position !== now.position || old.held !== now.held;
}

function keptSteps(before: GameView | null, game: GameView): number {
    if (!before) return 0;
    const differs = game.steps.findIndex((step, index) => step.token !== before.steps[index]?.token);
    return differs < 0 ? game.steps.length : differs;
}

function tribesHere(game: GameView): readonly TribeName[] {
    return game.kind === "online" ? game.you : persons(game.seats);
}

function isAsked(moment: Moment | null, mine: readonly TribeName[]): boolean {
    const tribe = moment && (moment.held ?? moment.decider);
    return isTribe(tribe) && mine.includes(tribe);
}

function undoableBy(game: GameView | null, mine: readonly TribeName[]): Undoable {
    if (!game || mine.length === 0) return { step: "watching", turn: "watching" };
    // Between two remote players, only the one who has to decide can undo; the other has to ask for a takeback.
    const other = game.kind === "online" && persons(game.seats).length === 2 && !isAsked(game.now, mine);
    const { undo, outcome } = game.now;
    if (other && !outcome) return { step: "asking", turn: "asking" };
    return { step: undo.step || (undo.no_step ?? "nothing"), turn: undo.turn || (undo.no_turn ?? "nothing") };
}
