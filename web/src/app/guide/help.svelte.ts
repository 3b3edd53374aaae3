/** Help in games against low levels: hints from the engine, and the opponent's threats. Both use public information. */
import { isSpace, otherTribe } from "@cairn/board/position";
import type { Shape } from "@cairn/board/shapes";
import { villageTribe } from "@cairn/board/layout";
import { untrack } from "svelte";

import type { Effect, Moment } from "../../lib/client";
import { advisorOf, bestLine } from "../../lib/device/advice";
import { SharedCore, type DeviceCore } from "../../lib/device/core";
import { t } from "../../lib/i18n";
import { reportProblem } from "../../lib/problems";
import { localStore } from "../../lib/storage";
import type { GuidedGame } from "./guidedGame";
import { hintSentence, isUnfinished, reasonFor, stepsOf, type Idea, type Reason } from "./reasons";
import { threatPosition, threatShapes, threatsSentence, type Threats } from "./threats";

/** How many nodes the engine searches for a hint. This takes less than a second on a phone. */
const NODES = 60_000;
const KEY = "cairn.threats";

interface Hint {
    /** The decision that the hint is for. */
    moment: Moment;
    /** The picks to make, in order. */
    picks: readonly string[];
    effects: readonly Effect[];
    /** `null` if the engine found nothing. */
    reason: Reason | null;
}

export class Help {
    readonly #played: GuidedGame;
    readonly #core = new SharedCore();
    #closed = false;
    #hint = $state.raw<Hint | null>(null);
    #asked = $state.raw<Moment | null>(null);
    #threats = $state.raw<(Threats & { moment: Moment }) | null>(null);
    /** What the prompt shows until the player acts. */
    #promptShows = $state<"hint" | "threats" | null>(null);

    /** Whether the player wants to see threats. Stored for the next game. */
    showsThreats = $state(localStore.getItem(KEY) === "yes");
    /** Whether the engine is looking for a hint. */
    readonly thinking: boolean = $derived.by(() => this.#asked !== null && this.#asked === this.#played.sync.moment);
    readonly hint: Hint | null = $derived.by(() =>
        this.#hint && this.#hint.moment === this.#played.sync.moment && this.#played.open ? this.#hint : null,
    );
    readonly threats: Threats | null = $derived.by(() => {
        const { sync, isLive } = this.#played;
        return isLive && this.showsThreats && this.#threats?.moment === sync.moment ? this.#threats : null;
    });
    /** The sentence that replaces the question in the prompt. */
    readonly sentence: string | null = $derived.by(() => {
        if (!this.#played.isLive) return null;
        if (this.#promptShows === "hint") return this.#hintSentence();
        if (this.#promptShows !== "threats") return null;
        return this.threats ? threatsSentence(this.threats) : t("guide.threats.wait");
    });
    readonly shapes: readonly Shape[] = $derived.by(() => {
        const { hint, threats } = this;
        if (hint) return hintShapes(hint.picks);
        return threats && this.#played.selection.picks.length === 0 ? threatShapes(threats) : [];
    });

    /** Create the object in an effect. It is closed when that effect ends. */
    constructor(played: GuidedGame) {
        this.#played = played;
        $effect(() => {
            const { moment } = played.sync;
            if (!this.showsThreats || !moment || !played.isLive || !played.sync.asked) return;
            untrack(() => void this.#findThreats(moment));
        });
        // The sentence applies to one decision only.
        $effect(() => {
            void played.sync.moment;
            untrack(() => (this.#promptShows = null));
        });
        $effect(() => () => {
            this.#closed = true;
            this.#core.close();
        });
    }

    /** Ask the engine for a hint. A second call hides it. */
    readonly askHint = async (): Promise<void> => {
        const { game, sync, open } = this.#played;
        const { moment } = sync;
        if (this.hint && this.#promptShows === "hint") return this.clear();
        this.#promptShows = "hint";
        if (!game || !moment || !open || this.hint || this.thinking) return;
        this.#asked = moment;
        try {
            const hint = await this.#core.use((core) => this.#findHint(core, moment));
            if (this.#asked === moment) this.#hint = hint ?? { moment, picks: [], effects: [], reason: null };
        } catch (problem) {
            this.#fail(problem);
        } finally {
            if (this.#asked === moment) this.#asked = null;
        }
    };

    /** Show the opponent's threats, now and at the start of each turn, or hide them. */
    readonly toggleThreats = (): void => {
        this.showsThreats = !this.showsThreats;
        localStore.setItem(KEY, this.showsThreats ? "yes" : "no");
        this.#promptShows = this.showsThreats ? "threats" : null;
    };

    /** Show the question again, because the player is acting. The marks on the board stay. */
    readonly act = (): void => {
        this.#promptShows = null;
    };

    readonly clear = (): void => {
        this.#promptShows = null;
        this.#hint = null;
    };

    #hintSentence(): string | null {
        if (this.thinking) return t("guide.hint.thinking");
        const { hint } = this;
        if (!hint) return null;
        return hint.reason ? hintSentence(hint.effects, hint.reason) : t("guide.hint.none");
    }

    async #findHint(core: DeviceCore, moment: Moment): Promise<Hint | null> {
        const { game, sync } = this.#played;
        const { decider } = moment;
        if (!game || (decider !== "forest" && decider !== "sea")) return null;
        const tokens = sync.steps.map(({ token }) => token);
        const advisor = advisorOf(core);
        const line = [...(await bestLine(core, { position: game.start, tokens }, NODES))];
        const choice = moment.choices.find(({ token }) => token === line[0]);
        if (!choice) return null;
        const begun = sync.steps.findIndex(({ turn }) => turn === moment.turn);
        const first = begun < 0 ? sync.steps.length : begun;
        const idea: Idea = { start: sync.positionAt(first), played: tokens.slice(first), line, tribe: decider };
        // The engine's line may stop in the middle of the turn, for example before a transformation that wins.
        for (let more = line; more.length > 0 && (await isUnfinished(advisor, idea)); line.push(...more))
            more = [...(await bestLine(core, { position: game.start, tokens: [...tokens, ...line] }, NODES))];
        const steps = await stepsOf(advisor, idea);
        const reason = await reasonFor(advisor, idea, steps);
        return { moment, picks: choice.paths[0] ?? [], effects: steps[0]?.effects ?? [], reason };
    }

    async #findThreats(moment: Moment): Promise<void> {
        const me = this.#played.sync.mine[0];
        const tried = me && threatPosition(moment, otherTribe(me));
        if (!me || !tried || this.#threats?.moment === moment) return;
        try {
            const found = await this.#core.use((core) => advisorOf(core).builds(tried.position));
            if (found && this.#played.sync.moment === moment) {
                this.#threats = { moment, tribe: otherTribe(me), exact: tried.exact, builds: found };
            }
        } catch (problem) {
            this.#fail(problem);
        }
    }

    /** Report a failure, unless the player has left the page. */
    #fail(problem: unknown): void {
        if (!this.#closed) reportProblem(problem);
    }
}

/** An arrow between the last two places that a hint picks, or a circle around the only one. */
function hintShapes(picks: readonly string[]): Shape[] {
    const places = picks.filter((pick) => isSpace(pick) || villageTribe(pick));
    const [from, to] = places.slice(-2);
    if (from && to) return [{ kind: "arrow", from, to, tone: "good" }];
    return from ? [{ kind: "circle", at: from, tone: "good" }] : [];
}
