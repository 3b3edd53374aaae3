/** What the board is told of a game: what can be picked, what the last turn did, where something is asked. */
import type { Effect, Step } from "../../lib/client";
import { isSpace } from "@cairn/board/position";
import type { GameStore } from "./gameStore.svelte";
import { lastTurns } from "../sentences/narration";
import { nextPicks, openPicks, reachable } from "../../lib/picking";

export class Shown {
    readonly #store: GameStore;

    /** What somebody at this screen can choose now. */
    readonly #choices = $derived.by(() => (this.#store.open && this.#store.moment?.choices) || []);
    /** Everything that a pick would do something with. */
    readonly open: ReadonlySet<string> = $derived.by(() => openPicks(this.#choices, this.#store.picks));
    /** What a pick goes on with. */
    readonly marked: ReadonlySet<string> = $derived.by(() => {
        const { moment, picks, scene } = this.#store;
        const next = [...nextPicks(this.#choices, picks).keys()];
        // At the start of an action only the shamans that can go are marked: the rest would be marked all over.
        const goers = next.filter((pick) => isSpace(pick) && scene?.shamans[pick]);
        return new Set(moment?.phase === "action" && picks.length === 0 && goers.length > 0 ? goers : next);
    });
    /** What is meant where both a shaman and a megalith stand. */
    readonly aim = $derived.by(() => reachable(this.#choices, this.#store.picks)[0]?.aim ?? "shaman");
    /** Where something is asked. */
    readonly focus = $derived.by(() => (this.#isNow ? (this.#store.moment?.focus ?? null) : null));

    /** Whether the game itself is shown, and all that happened in it. */
    readonly #isNow: boolean = $derived.by(() => this.#store.caughtUp && !this.#store.replaying);
    /** Whether something that happened is being shown. */
    readonly running: boolean = $derived.by(() => !this.#store.caughtUp && !this.#store.replaying);
    /** The step that led to what is shown. */
    readonly step: Step | undefined = $derived.by(() => this.#store.steps[this.#store.at - 1]);
    /** What has been shown: the list of moves does not run ahead of the board. */
    readonly seen: Step[] = $derived.by(() => {
        const { replaying, steps, at } = this.#store;
        return replaying ? steps : steps.slice(0, at);
    });
    /** The number of the turn. */
    readonly turn: number = $derived.by(() => (this.#isNow ? this.#store.moment?.turn : this.step?.turn) ?? 1);
    /** What the turn that led to what is shown did, with one of the same tribe right before it. */
    readonly last: Effect[] = $derived.by(() => {
        const { steps, at, effect, effectIndex } = this.#store;
        return lastTurns(steps.slice(0, at)).flatMap((each) =>
            effect && each === this.step ? each.effects.slice(0, effectIndex) : each.effects,
        );
    });
    readonly turned = $derived.by(() =>
        this.last.flatMap((effect) => (effect.kind === "flipped" ? [effect.tile] : [])),
    );
    readonly drawn = $derived.by(() => this.last.flatMap((effect) => (effect.kind === "drawn" ? [effect.slot] : [])));

    constructor(store: GameStore) {
        this.#store = store;
    }
}
