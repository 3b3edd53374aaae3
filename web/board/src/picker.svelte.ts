/** What can be picked, and what a tap on it means: the same for the board, the tiles and the supply. */

/** The props that the board, the tiles and the supply share. A pick is `c3`, `village:sea`, `slot:0` or `tile:jump`. */
export interface PickProps {
    /** Picks that come next; they are marked. */
    targets?: Iterable<string> | undefined;
    /** Picks that can replace the last one, such as another shaman; they are not marked. */
    alternatives?: Iterable<string> | undefined;
    /** The picks made so far. */
    selection?: readonly string[] | undefined;
    /** Milliseconds that a piece glides; 0 does not animate. */
    pace?: number | undefined;
    /** The spoken name of a pick, of `field` and of `deck`. */
    label: (subject: string) => string;
    onpick?: ((pick: string) => void) | undefined;
    /** Something was tapped that cannot be picked. */
    onrefuse?: ((pick: string) => void) | undefined;
    oncancel?: (() => void) | undefined;
    /** Somebody asks what this is; `null` when they look elsewhere. */
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

    /** Whether a tap on it does something. */
    isEnabled(pick: string): boolean {
        return this.isTarget(pick) || this.#alternatives.has(pick) || this.isSelected(pick);
    }

    /** Pick it, cancel what was picked, or refuse. */
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
