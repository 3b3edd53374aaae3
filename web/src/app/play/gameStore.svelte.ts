/**
 * A game as the page holds it: the server's word, what has been shown of it, and what was picked but not yet played.
 *
 * The server is the only authority. Updates continue the revision that we stand at; whenever they do not, the whole game
 * is fetched again. A token that was sent is pending until the server's answer, whichever way it comes.
 */
import {
    ApiProblem,
    updated,
    type api,
    type Effect,
    type GameView,
    type Moment,
    type Step,
    type TribeName,
    type Update,
} from "../../lib/client";
import { apply, sceneOf, type Scene } from "@cairn/board/scene";
import { persons } from "../../lib/people";
import { forcedPicks, pickNext } from "../../lib/picking";
import { parsePosition } from "@cairn/board/position";
import { backOff } from "../../lib/connection.svelte";
import { PACE, type Speed } from "../../lib/settings.svelte";
import type { SocketState, watchGame } from "../../lib/socket";
import type { UndoRefusal } from "../sentences/refusal";

type Asked = Pick<typeof api, "game" | "play" | "undo" | "confirm">;
/** What is asked of the server. Where the change itself comes another way, and has come, the answer is `null`. */
export type Server = Pick<Asked, "game"> & {
    [Name in "play" | "undo" | "confirm"]: (...args: Parameters<Asked[Name]>) => Promise<Update | null>;
};
export type Watch = typeof watchGame;

/** Shares of the time that an effect is shown, for effects that need less of it than a shaman's way across the field. */
const BRIEF: Readonly<Partial<Record<Effect["kind"], number>>> = {
    flipped: 0.6,
    activated: 0.7,
    copied: 0.7,
    transformed: 0.7,
    passed: 0,
    ended: 0,
};

/** More steps than this are not shown one by one after a pause: nobody wants to wait for them. */
const LONGEST_SHOW = 30;

export interface StoreOptions {
    server: Server;
    watch: Watch;
    /** Asked before each effect, so that a change holds at once. */
    speed: () => Speed;
    /** Whether a finished turn waits to be confirmed. */
    hold: () => boolean;
    /** Where a token that is on its way outlives a reload. */
    memory?: Pick<Storage, "getItem" | "setItem" | "removeItem">;
    /** A step begins to be shown. */
    onStep?: (step: Step) => void;
    /** Something went wrong that the player should read. */
    onProblem?: (problem: unknown) => void;
}

/** A token on its way to the server. */
export interface Pending {
    token: string;
    tribe: TribeName;
    revision: number;
    hold: boolean;
    /** How many steps the game had when it was sent. */
    at: number;
    /** How often nobody answered. */
    tries: number;
}

/** What can be taken back from this seat, and else why not: as the server says, or because of who sits here. */
export type Undoable = Record<"step" | "turn", true | UndoRefusal>;

/** What a tap did. */
export type Tapped = "picked" | "sent" | "cancelled" | "refused" | "skipped";

export class GameStore {
    readonly id: string;
    readonly #options: StoreOptions;
    #unwatch: (() => void) | undefined;
    #timer: ReturnType<typeof setTimeout> | undefined;
    #again: ReturnType<typeof setTimeout> | undefined;
    #syncing: Promise<void> | undefined;
    #stopped = false;

    /** The game as the server last told it. */
    game = $state.raw<GameView | null>(null);
    /** Why the game cannot be shown at all. */
    problem = $state.raw<ApiProblem | null>(null);
    socket = $state<SocketState>("connecting");
    pending = $state.raw<Pending | null>(null);
    /** An undo or a confirmation is on its way. */
    busy = $state(false);
    /** What has been picked towards a token. */
    picks = $state.raw<string[]>([]);
    /** When the moment that stands now arrived. */
    since = $state(Date.now());

    /** What the board shows. */
    scene = $state.raw<Scene | null>(null);
    /** The effect that is being shown, while a step is shown effect by effect. */
    effect = $state.raw<Effect | null>(null);
    /** Which effect of its step that is. */
    effectIndex = $state(0);
    /** How many steps have been shown to their end. */
    #shown = $state(0);
    /** The moment that is looked at while looking back: so many steps played. */
    #cursor = $state<number | null>(null);

    /** All steps. */
    readonly steps: Step[] = $derived(this.game?.steps ?? []);
    /** Whether everything that happened has been shown. */
    readonly caughtUp: boolean = $derived(this.effect === null && this.#shown === this.steps.length);
    /** Whether an earlier moment, or a finished game, is gone through by hand. */
    readonly replaying: boolean = $derived(this.#cursor !== null);
    /** How many steps lie behind what the board shows, the one that is being shown counted. */
    readonly at: number = $derived(this.#cursor ?? Math.min(this.#shown + (this.effect ? 1 : 0), this.steps.length));
    /** What is asked now, once everything that led to it has been seen. */
    readonly moment: Moment | null = $derived(this.game?.now ?? null);
    /** The tribes that whoever sits here decides for; none for spectators. */
    readonly mine: readonly TribeName[] = $derived(this.game ? actsFor(this.game) : []);
    /** Whether the moment asks something of them. */
    readonly asked: boolean = $derived(isAsked(this.moment, this.mine));
    /** What they can take back without asking anybody. */
    readonly undoable: Undoable = $derived(undoableBy(this.game, this.mine));
    /** What needs no picking now. */
    readonly forced: string[] = $derived(this.moment ? forcedNow(this.moment) : []);
    /** Whether the board shows the game as it stands, and nothing is on its way. */
    readonly ready: boolean = $derived(this.caughtUp && !this.replaying && !this.pending && !this.busy);
    /** Whether somebody at this screen may pick something now. */
    readonly open: boolean = $derived(this.asked && this.ready && (this.moment?.choices.length ?? 0) > 0);
    /** Whether they may confirm what is held. */
    readonly canConfirm: boolean = $derived(this.asked && this.ready && Boolean(this.moment?.held));

    constructor(id: string, options: StoreOptions) {
        this.id = id;
        this.#options = options;
    }

    /** Watch the game until {@link stop}. `step`: begin by looking at this moment. */
    start(step: number | null = null): void {
        this.#cursor = step;
        this.#stopped = false;
        this.#unwatch = this.#options.watch(this.id, {
            game: (game) => this.#receiveGame(game),
            update: (update) => this.receive(update),
            state: (state) => (this.socket = state),
            problem: (problem) => (this.problem = problem),
        });
    }

    stop(): void {
        this.#stopped = true;
        clearTimeout(this.#timer);
        clearTimeout(this.#again);
        this.#unwatch?.();
        this.#unwatch = undefined;
    }

    /** The position after so many steps. */
    positionAt(count: number): string {
        return (count > 0 ? this.steps[count - 1]?.position : undefined) ?? this.game?.start ?? "";
    }

    // What the server says

    /** Go on by an update, or fetch the whole game where it does not continue what we have. */
    receive(update: Update): void {
        const { game } = this;
        if (!game || update.game !== this.id || update.revision <= game.revision) return;
        const next = updated(game, update);
        if (next) this.#accept(next, update.kept);
        else void this.resynchronise();
    }

    /** Fetch the whole game. */
    resynchronise(): Promise<void> {
        this.#syncing ??= this.#options.server
            .game(this.id)
            .then((game) => this.#receiveGame(game))
            .catch((problem: unknown) => this.#options.onProblem?.(problem))
            .finally(() => (this.#syncing = undefined));
        return this.#syncing;
    }

    #receiveGame(game: GameView): void {
        const before = this.game;
        if (!before) {
            this.#shown = game.steps.length;
            if (this.#cursor !== null) this.#cursor = Math.min(this.#cursor, game.steps.length);
            this.#take(game);
            this.#paint();
            this.#recall(game);
            return;
        }
        if (game.revision > before.revision) {
            const differs = game.steps.findIndex((step, index) => step.token !== before.steps[index]?.token);
            this.#accept(game, differs < 0 ? game.steps.length : differs);
        } else if (game.revision === before.revision) {
            this.game = { ...before, you: game.you }; // A seat was taken by its token.
        }
        this.#resend();
    }

    #accept(game: GameView, kept: number): void {
        // What only talks about the game, such as an offer, leaves a token on its way.
        if (this.pending && (game.steps.length !== this.pending.at || game.now.outcome)) this.pending = null;
        if (!this.pending) this.#remember();
        const takenBack = this.#shown > kept || (this.effect !== null && this.#shown >= kept);
        if (takenBack) {
            this.#stopShow();
            this.#shown = Math.min(this.#shown, kept);
        }
        this.#take(game);
        if (this.#cursor !== null) {
            this.#cursor = Math.min(this.#cursor, game.steps.length);
            this.#stopShow();
            this.#shown = game.steps.length;
        }
        if (takenBack || this.#cursor !== null) this.#paint();
        if (this.#cursor === null) this.#show();
    }

    #take(game: GameView): void {
        const before = this.game;
        this.game = game;
        if (before && before.steps.length === game.steps.length && before.now.position === game.now.position) return;
        this.since = Date.now();
        this.picks = forcedNow(game.now);
    }

    // Showing what happened, one effect after another

    /** Show the moment that is looked at as it is; whatever moved glides. */
    #paint(): void {
        const position = this.positionAt(this.#cursor ?? this.#shown);
        if (position) this.scene = sceneOf(parsePosition(position), this.scene ?? undefined);
    }

    #stopShow(): void {
        clearTimeout(this.#timer);
        this.effect = null;
        this.effectIndex = 0;
    }

    /** Show the next step, if none is being shown. */
    #show(): void {
        if (this.effect) return;
        const step = this.steps[this.#shown];
        if (!step) return;
        if (PACE[this.#options.speed()] === 0 || this.steps.length - this.#shown > LONGEST_SHOW) return this.#finish();
        this.#options.onStep?.(step);
        this.#showEffect(step, 0);
    }

    #showEffect(step: Step, index: number): void {
        const effect = step.effects[index];
        if (!effect || !this.scene) {
            this.#stopShow();
            this.#shown += 1;
            this.#paint(); // the server's own word, whatever the effects said
            this.#show();
            return;
        }
        this.scene = apply(this.scene, effect);
        this.effect = effect;
        this.effectIndex = index;
        const time = PACE[this.#options.speed()] * (BRIEF[effect.kind] ?? 1);
        this.#timer = setTimeout(() => this.#showEffect(step, index + 1), time);
    }

    /** Show the end of everything that happened. */
    #finish(): void {
        const from = this.#shown + (this.effect ? 1 : 0);
        this.#stopShow();
        this.#shown = this.steps.length;
        for (const step of this.steps.slice(from)) this.#options.onStep?.(step);
        this.#paint();
    }

    /** Show the end of it at once. */
    skip(): void {
        if (!this.caughtUp) this.#finish();
    }

    // Looking back

    /** Look at the moment after so many steps; the last one is the game itself, unless it is over. */
    goTo(count: number): void {
        this.skip();
        const last = this.steps.length;
        const wanted = Math.max(0, Math.min(count, last));
        this.picks = this.forced;
        this.#cursor = wanted === last && !this.moment?.outcome ? null : wanted;
        this.#paint();
    }

    /** Back to the game as it stands. */
    goLive(): void {
        this.#cursor = null;
        this.#shown = this.steps.length;
        this.#paint();
    }

    get cursor(): number | null {
        return this.#cursor;
    }

    // What people do

    /** Pick something: a space, a tile, a slot, a village or a button. */
    tap(pick: string): Tapped {
        const { moment } = this;
        const running = !this.caughtUp;
        if (this.#cursor !== null || !moment) return "refused";
        if (this.pending || this.busy) return "refused";
        const result = this.asked ? pickNext(moment.choices, this.picks, pick) : ({ kind: "refused" } as const);
        if (running) {
            // What was not yet seen must not be answered: such a tap shows the end of it, and plays nothing.
            this.skip();
            if (result.kind === "refused" || result.kind === "token") return "skipped";
        }
        if (result.kind === "refused") return "refused";
        if (result.kind === "token") {
            void this.play(result.token);
            return "sent";
        }
        this.picks = result.picks;
        return result.kind === "cancelled" ? "cancelled" : "picked";
    }

    /** Forget what was picked. */
    cancel(): boolean {
        const had = this.picks.length > this.forced.length;
        this.picks = this.forced;
        return had;
    }

    /** Send a token. */
    async play(token: string): Promise<void> {
        const { game, moment } = this;
        const tribe = moment?.decider;
        if (!game || this.pending || (tribe !== "forest" && tribe !== "sea")) return;
        this.pending = {
            token,
            tribe,
            revision: game.revision,
            hold: this.#options.hold(),
            at: game.steps.length,
            tries: 0,
        };
        this.#remember();
        this.picks = [];
        await this.#send();
    }

    async #send(): Promise<void> {
        const { pending } = this;
        if (!pending) return;
        const { token, tribe, revision, hold } = pending;
        clearTimeout(this.#again);
        try {
            const update = await this.#options.server.play(this.id, { token, tribe, revision, hold });
            if (update) this.receive(update);
            if (this.pending === pending) this.pending = null;
            this.#remember();
        } catch (problem) {
            if (this.pending !== pending || this.#stopped) return;
            if (problem instanceof ApiProblem && isUnanswered(problem)) return this.#sendLater(pending, problem);
            this.pending = null;
            this.#remember();
            this.picks = this.forced;
            await this.#refused(problem, pending);
        }
    }

    /** Keep a token that is on its way beyond a reload of the page, as long as nobody has acknowledged it. */
    #remember(): void {
        const key = `cairn.pending.${this.id}`;
        if (this.pending) this.#options.memory?.setItem(key, JSON.stringify(this.pending));
        else this.#options.memory?.removeItem(key);
    }

    /** Take up a token that was on its way when the page was left, if the game still stands where it was sent. */
    #recall(game: GameView): void {
        const kept = this.#options.memory?.getItem(`cairn.pending.${this.id}`);
        if (!kept) return;
        const pending = JSON.parse(kept) as Pending;
        // Time that was given back after a crash is a revision, too; the server knows whether the token still answers.
        if (pending.at === game.steps.length && !game.now.outcome) {
            this.pending = { ...pending, tries: 1 };
            void this.#send();
        } else {
            this.#remember();
        }
    }

    /** Nobody answered: the token stays pending, and is sent again and again until somebody does. */
    #sendLater(pending: Pending, problem: ApiProblem): void {
        if (pending.tries === 0) this.#options.onProblem?.(problem);
        const waited = { ...pending, tries: pending.tries + 1 };
        this.pending = waited;
        this.#again = setTimeout(() => {
            if (this.pending === waited) void this.#send();
        }, backOff(pending.tries));
    }

    /** After a reconnection: send the pending token at once, unless the server has it already. */
    #resend(): void {
        if (this.pending && this.pending.tries > 0) void this.#send();
    }

    /** The server said no: fetch the game as it stands, and tell, unless a token sent twice had arrived the first time. */
    async #refused(problem: unknown, pending?: Pending): Promise<void> {
        const refused = problem instanceof ApiProblem && problem.status >= 400;
        const repeated = refused && problem.kind === "stale-revision" && pending !== undefined && pending.tries > 0;
        if (!repeated) this.#options.onProblem?.(problem);
        if (refused) await this.resynchronise();
        if (repeated && this.steps[pending.at]?.token !== pending.token) this.#options.onProblem?.(problem);
    }

    async undo(scope: "step" | "turn"): Promise<void> {
        if (this.ready) await this.#ask((game) => this.#options.server.undo(this.id, game.revision, scope));
    }

    async confirm(): Promise<void> {
        if (this.canConfirm) await this.#ask((game) => this.#options.server.confirm(this.id, game.revision));
    }

    async #ask(request: (game: GameView) => Promise<Update | null>): Promise<void> {
        const { game } = this;
        if (!game) return;
        this.busy = true;
        try {
            const update = await request(game);
            if (update) this.receive(update);
        } catch (problem) {
            await this.#refused(problem);
        } finally {
            this.busy = false;
        }
    }
}

/** The tribes that whoever looks at a game decides for. At one screen they are those of all persons. */
function actsFor(game: GameView): readonly TribeName[] {
    return game.kind === "online" ? game.you : persons(game.seats);
}

function isAsked(moment: Moment | null, mine: readonly TribeName[]): boolean {
    const tribe = moment && (moment.held ?? moment.decider);
    return tribe === "forest" || tribe === "sea" ? mine.includes(tribe) : false;
}

function undoableBy(game: GameView | null, mine: readonly TribeName[]): Undoable {
    if (!game || mine.length === 0) return { step: "watching", turn: "watching" };
    // With two at different places only whoever is asked takes back; the other one asks for a takeback.
    const other = game.kind === "online" && persons(game.seats).length === 2 && !isAsked(game.now, mine);
    const { undo, outcome } = game.now;
    if (other && !outcome) return { step: "asking", turn: "asking" };
    return { step: undo.step || (undo.no_step ?? "nothing"), turn: undo.turn || (undo.no_turn ?? "nothing") };
}

/** Nobody answered, or only something on the way that cannot reach the server either. */
function isUnanswered({ kind, status }: ApiProblem): boolean {
    return kind === "offline" || (kind === "unexpected" && status >= 502 && status <= 504);
}

/** What needs no picking at this moment; in an action everything is shown to be chosen. */
function forcedNow(moment: Moment): string[] {
    return moment.phase === "power" ? forcedPicks(moment.choices) : [];
}
