/** The state of the analysis board: a tree of steps, the step that is shown, and what the engine says about it. */
import { parsePosition } from "@cairn/board/position";

import type { GameRecord, LineOfPlay } from "../../../core/core";
import { api, ApiProblem, type Line, type Moment } from "../../lib/client";
import { backOff, connection } from "../../lib/connection.svelte";
import { advisorOf, type Build } from "../../lib/device/advice";
import { accepted, SharedCore, type DeviceCore } from "../../lib/device/core";
import { recordOf } from "../../lib/games";
import { hasServer } from "../../lib/host";
import { isOnDevice } from "../../lib/ids";
import { forcedPicks, pickNext } from "../../lib/picking";
import { reportProblem } from "../../lib/problems";
import { START } from "../../lib/startPosition";
import { savedStudy, saveStudy, type SavedStudy } from "../../lib/studies";
import { Engine } from "../study/engine.svelte";
import { lineFrom, stepsTo, tokensTo, type StudyNode, type StudyTree } from "../study/tree.svelte";
import { notesOf, treeOf, type Note } from "../study/variations";

/** What the page opens: a game, a position, a study in the link or on this device. Nothing means the usual start. */
export interface Source {
    game: string | null;
    position: string | null;
    packed: string | null;
    study: string | null;
    step: number | null;
}

interface Opened {
    position: string;
    tokens: readonly string[];
    notes: readonly Note[];
    headers: GameRecord["headers"];
    declared: GameRecord["declared"];
}

/** How long the list of running games is trusted, in milliseconds. */
const TRUSTED = 10_000;

export class AnalysisSession {
    readonly #core = new SharedCore();
    readonly engine = new Engine();

    tree = $state.raw<StudyTree | null>(null);
    current = $state.raw<StudyNode | null>(null);
    /** The moment at the current node; `null` until the core has answered. */
    moment = $state.raw<Moment | null>(null);
    /** The tiles that may be drawn now. */
    draws = $state.raw<readonly string[]>([]);
    picks = $state.raw<readonly string[]>([]);
    /** How the opponent could score if it were their turn; `null` if that is not shown. */
    threats = $state.raw<readonly Build[] | null>(null);
    /** Why nothing could be opened. */
    problem = $state.raw<ApiProblem | null>(null);
    /** Whether the source is an online game that is still running, no matter who plays it. */
    isRunning = $state(false);
    /** The study on this device that is open, as it was last saved; `null` if the study is not saved. */
    saved = $state.raw<SavedStudy | null>(null);
    /** Whether the study in the link is not on this device. */
    isMissing = $state(false);
    /** Counts changes to the tree, its comments and its marks. */
    changes = $state(0);
    /** The positions of this player's online games that are still being played. */
    #positions = $state.raw<ReadonlySet<string>>(new Set());
    /** Whether these positions are up to date. */
    #isKnown = $state(false);
    /** When they were last read. */
    #readAt = 0;
    #isReading = false;
    #opened: Opened | null = null;
    #closed = false;

    /**
     * Whether the engine must not help, because this moment is in an online game that is still being played, or in a
     * line that leads through it.
     */
    readonly isForbidden = $derived.by(() => {
        const line = this.current ? stepsTo(this.current).map(({ position }) => position) : [];
        return [this.tree?.start, ...line, this.moment?.position].some((each) => each && this.#positions.has(each));
    });

    /** Whether the engine may help. It waits until the running games are known, unless there is no server to ask. */
    readonly mayHelp = $derived(!this.isForbidden && (this.#isKnown || !hasServer || connection.lost));

    /** Whether this browser cannot run the core, so that the server plays the lines. Records then cannot be read. */
    withoutCore = $state(false);

    readonly study = (position: string, tokens: readonly string[]): Promise<Line> =>
        this.#withCore(
            async ({ client }) => accepted(await client.call("study", position, [...tokens])),
            () => api.line(position, tokens),
        );

    async open(source: Source): Promise<void> {
        this.engine.stop();
        this.problem = null;
        this.isRunning = false;
        const saved = source.study === null ? null : savedStudy(source.study);
        // Until it is shown, changes still belong to what is on the board.
        this.saved = null;
        this.isMissing = source.study !== null && saved === null;
        if (this.isMissing) return;
        try {
            const opened = saved ? await this.#parse(saved.record) : await this.#read(source);
            if (!opened) {
                this.isRunning = true;
                return;
            }
            await this.#show(opened, source.step, saved);
        } catch (problem) {
            this.problem = problem instanceof ApiProblem ? problem : new ApiProblem("unexpected", String(problem));
        }
    }

    /** Open the text of a record. Rejects with the faults if it is not a record. */
    async openRecord(text: string): Promise<void> {
        await this.#show(await this.#parse(text), null);
        this.changes += 1;
    }

    close(): void {
        this.#closed = true;
        this.engine.close();
        this.#core.close();
    }

    async go(node: StudyNode): Promise<void> {
        const { tree } = this;
        if (!tree) return;
        this.#lookForRunningGames();
        this.current = node;
        this.picks = [];
        this.draws = [];
        this.threats = null;
        this.moment = node.moment;
        try {
            node.moment ??= (await this.study(tree.start, tokensTo(node))).now;
            if (this.current !== node) return;
            this.moment = node.moment;
            this.picks = forcedPicks(node.moment.choices);
            if (node.moment.decider === "chance") await this.#findDraws(tree, node);
        } catch (problem) {
            this.#fail(problem);
        }
    }

    /** Pick something on the board, a tile, a slot or a button. */
    pick(pick: string): void {
        const choices = this.moment?.choices ?? [];
        const picked = pickNext(choices, this.picks, pick);
        this.picks = picked.picks;
        if (picked.kind === "token") void this.play([picked.token]);
    }

    /** Play tokens after the current node. They become a variation if another step follows already. */
    async play(tokens: readonly string[]): Promise<void> {
        const { tree, current } = this;
        if (!tree || !current) return;
        const before = tokensTo(current);
        try {
            const { steps, now } = await this.study(tree.start, [...before, ...tokens]);
            const node = tree.add(current, steps.slice(before.length));
            node.moment = now;
            this.changes += 1;
            if (this.current === current) await this.go(node);
        } catch (problem) {
            this.#fail(problem);
        }
    }

    back(): void {
        if (this.current?.parent) void this.go(this.current.parent);
    }

    forward(): void {
        const next = this.current?.children[0];
        if (next) void this.go(next);
    }

    first(): void {
        if (this.tree) void this.go(this.tree.root);
    }

    last(): void {
        const end = this.current && lineFrom(this.current).at(-1);
        if (end) void this.go(end);
    }

    /** Go to the next or the previous variation of the current step. */
    turnTo(offset: number): void {
        const siblings = this.current?.parent?.children ?? [];
        const next = this.current && siblings[siblings.indexOf(this.current) + offset];
        if (next) void this.go(next);
    }

    remove(): void {
        const { tree, current } = this;
        if (!tree || !current?.parent) return;
        const before = tree.remove(current);
        this.changes += 1;
        void this.go(before);
    }

    promote(): void {
        const { tree, current } = this;
        if (!tree || !current) return;
        tree.promote(current);
        this.changes += 1;
    }

    /** Show or hide how the other tribe could score if it were their turn. */
    async toggleThreats(position: string): Promise<void> {
        if (this.threats) {
            this.threats = null;
            return;
        }
        const { current } = this;
        try {
            const found = await this.#core.use((core) => advisorOf(core).builds(position));
            if (this.current === current) this.threats = found ?? [];
        } catch (problem) {
            this.#fail(problem);
        }
    }

    /** The main line as a record, with the variations in comments. */
    async record(): Promise<string> {
        const { tree } = this;
        if (!tree) throw new Error("nothing is open");
        const line: LineOfPlay = { position: tree.start, tokens: tree.mainLine().map(({ token }) => token) };
        const unchanged = this.#opened?.tokens.join(" ") === line.tokens.join(" ");
        const declared = unchanged ? (this.#opened?.declared ?? null) : null;
        const derived = ["Result", "Reason", "Position"];
        const headers = (this.#opened?.headers ?? []).filter(([name]) => !derived.includes(name));
        const plain = headers.map(([name, value]): [string, string] => [name, value]);
        const written = await this.#core.use(({ client }) =>
            client.call("writeRecord", line, declared && { ...declared }, plain, notesOf(tree)),
        );
        return accepted(written).text;
    }

    /** Save the study on this device. A study that is saved already keeps its id. */
    async save(name: string): Promise<SavedStudy> {
        const before = this.saved;
        const study = saveStudy(name, await this.record(), before?.id);
        // Another study may have been opened in the meantime.
        if (this.saved === before) this.saved = study;
        return study;
    }

    async #show(opened: Opened, step: number | null, saved: SavedStudy | null = null): Promise<void> {
        const tree = await treeOf(this.study, opened);
        this.#opened = opened;
        this.saved = saved;
        this.tree = tree;
        const main = lineFrom(tree.root);
        await this.go(main[Math.min(step ?? 0, main.length - 1)] ?? tree.root);
    }

    /** Read what the source names; `null` if it is an online game that is still being played. */
    async #read({ game, position, packed }: Source): Promise<Opened | null> {
        if (packed) {
            const { unpack } = await import("../../lib/source/packedRecord");
            return this.#parse(await unpack(packed));
        }
        if (game) {
            if (isOnDevice(game)) return this.#parse(await recordOf(game));
            const { kind, now, start, steps } = await api.game(game);
            if (kind === "online" && !now.outcome) return null;
            const tokens = steps.map(({ token }) => token);
            return this.#withCore<Opened>(
                async ({ client }) => parsed(client, await recordOf(game)),
                () => Promise.resolve({ position: start, tokens, notes: [], headers: [], declared: null }),
            );
        }
        return { position: position ?? START, tokens: [], notes: [], headers: [], declared: null };
    }

    #parse(text: string): Promise<Opened> {
        return this.#core.use(({ client }) => parsed(client, text));
    }

    async #findDraws(tree: StudyTree, node: StudyNode): Promise<void> {
        const line = { position: tree.start, tokens: tokensTo(node) };
        const tokens = await this.#withCore(
            ({ client }) => client.call("legalTokens", line),
            () => Promise.resolve(drawsAt(node.moment?.position ?? tree.start)),
        );
        if (this.current === node) this.draws = tokens;
    }

    /** Use the core. If this browser cannot run it and there is a server, do something else instead. */
    async #withCore<Result>(
        run: (core: DeviceCore) => Promise<Result>,
        otherwise: () => Promise<Result>,
    ): Promise<Result> {
        if (this.withoutCore) return otherwise();
        try {
            return await this.#core.use(run);
        } catch (problem) {
            const isRefusal = problem instanceof ApiProblem && problem.kind !== "core-missing";
            if (!hasServer || isRefusal || this.#closed) throw problem;
            console.info("The core cannot run in this browser.", problem);
            this.withoutCore = true;
            return otherwise();
        }
    }

    /** Report a failure, unless the visitor has left the page. */
    #fail(problem: unknown): void {
        if (!this.#closed) reportProblem(problem);
    }

    /** Find out which online games of this player are still being played. The engine does not help in them. */
    #lookForRunningGames(): void {
        if (!hasServer || this.#isReading || Date.now() - this.#readAt < TRUSTED) return;
        this.#isKnown = false;
        void this.#readRunningGames();
    }

    /** Read the running games. If that fails, try again until the visitor leaves. */
    async #readRunningGames(): Promise<void> {
        this.#isReading = true;
        for (let attempt = 0; !this.#isKnown && !this.#closed; attempt++) {
            try {
                if (!connection.lost) await this.#readPositions();
            } catch {
                // The connection banner reports a lost connection. Otherwise, the server is busy.
            }
            if (!this.#isKnown) await new Promise((resolve) => setTimeout(resolve, backOff(attempt)));
        }
        this.#isReading = false;
    }

    async #readPositions(): Promise<void> {
        const { games } = await api.games({ state: "running", limit: 200 });
        this.#positions = new Set(games.filter(({ kind }) => kind === "online").map(({ position }) => position));
        this.#readAt = Date.now();
        this.#isKnown = true;
    }
}

async function parsed(client: DeviceCore["client"], text: string): Promise<Opened> {
    return accepted(await client.call("readRecord", new TextEncoder().encode(text)));
}

/** The draws that are possible at a position: the tiles in unknown order, or the known top of the deck. */
function drawsAt(position: string): string[] {
    const { unknown, known } = parsePosition(position).deck;
    return [...new Set(unknown.length > 0 ? unknown : known.slice(0, 1))].map((code) => `?${code}`);
}
