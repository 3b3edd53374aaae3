/** Determines what can be picked and what a tap does. The board, the tiles and the supply share this code. */

/** The props that the board, the tiles and the supply share. A pick is `c3`, `village:sea`, `slot:0` or `tile:jump`. */
export interface PickProps {
    /** The picks that are possible next; they are marked. */
    targets?: Iterable<string> | undefined;
    /** Picks that can replace the last one, such as another shaman; they are not marked. */
    alternatives?: Iterable<string> | undefined;
    /** The picks made so far. */
    selection?: readonly string[] | undefined;
    /** How long a piece glides, in milliseconds; 0 turns animation off. */
    pace?: number | undefined;
    /** The accessible name of a pick, `field` or `deck`. */
    label: (subject: string) => string;
    onpick?: ((pick: string) => void) | undefined;
    /** Called when something that cannot be picked is tapped. */
    onrefuse?: ((pick: string) => void) | undefined;
    oncancel?: (() => void) | undefined;
    /** Called with the subject that the user wants explained, and with `null` when they move on. */
    onexplain?: ((subject: string | null) => void) | undefined;
}

export class Picker {
    readonly #props: () => PickProps;
    readonly #targets: ReadonlySet<string> = $derived.by(() => new Set(this.#props().targets));
    readonly #alternatives: ReadonlySet<string> = $derived.by(() => new Set(this.#props().alternatives));

    constructor(props: () => PickProps) {
        this.#props = props;
    }

    get targets(): ReadonlySet<string> {
        return this.#targets;
    }

    get selection(): readonly string[] {
        return this.#props().selection ?? [];
    }

    isTarget(pick: string): boolean {
        return this.#targets.has(pick);
    }

    isSelected(pick: string): boolean {
        return this.selection.includes(pick);
    }

    /** Whether a tap on `pick` has an effect. */
    isEnabled(pick: string): boolean {
        return this.isTarget(pick) || this.#alternatives.has(pick) || this.isSelected(pick);
    }

    /** Handle a tap: report a pick, a cancel or a refused pick. */
    tap(pick: string): void {
        const { onpick, oncancel, onrefuse } = this.#props();
        if (this.isTarget(pick) || this.#alternatives.has(pick)) onpick?.(pick);
        else if (this.isSelected(pick)) oncancel?.();
        else onrefuse?.(pick);
    }

    explain(subject: string | null): void {
        this.#props().onexplain?.(subject);
    }

    cancel(): void {
        this.#props().oncancel?.();
    }
}
