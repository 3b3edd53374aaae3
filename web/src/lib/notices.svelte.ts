export interface NoticeAction {
    label: string;
    run: () => void;
}

/** A short notice at the edge of the page, such as "Game deleted" with an undo button. */
export interface Notice {
    id: number;
    kind: "info" | "error";
    text: string;
    action?: NoticeAction;
    /** Another action, such as declining an offer. */
    second?: NoticeAction;
    /** Whether the notice remains when the visitor opens another page. */
    stays?: boolean;
}

/** The maximum number of notices. Notices with an action are never removed to meet this limit. */
const MOST = 3;

let list = $state<Notice[]>([]);
let next = 1;

export const notices = {
    get list(): readonly Notice[] {
        return list;
    },
};

/**
 * Show a notice for a few seconds or, with `seconds: 0`, until it is dismissed. It replaces a notice with the same
 * text, unless the old notice has an action: notices with the same text may have different actions.
 */
export function notify(notice: Omit<Notice, "id">, seconds = notice.kind === "error" ? 0 : 8): number {
    const id = next++;
    const others = list.filter((other) => other.action || other.text !== notice.text);
    const plain = others.filter((other) => !other.action);
    const surplus = new Set(plain.slice(0, Math.max(0, others.length + 1 - MOST)));
    list = [...others.filter((other) => !surplus.has(other)), { ...notice, id }];
    if (seconds > 0) setTimeout(() => dismiss(id), seconds * 1000);
    return id;
}

export function dismiss(id: number): void {
    list = list.filter((notice) => notice.id !== id);
}

/** Remove the notices about the page that the visitor is leaving. */
export function leavePage(): void {
    list = list.filter((notice) => notice.stays);
}
