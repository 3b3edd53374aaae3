/** Short sentences at the edge of the page, such as "Game deleted", with a way to undo it. */
export interface Notice {
    id: number;
    kind: "info" | "error";
    text: string;
    action?: { label: string; run: () => void };
    /** It is not about the page on which it was said, and outlives it. */
    stays?: boolean;
}

/** So many are shown at once, unless more of them offer something. */
const MOST = 3;

let list = $state<Notice[]>([]);
let next = 1;

export const notices = {
    get list(): readonly Notice[] {
        return list;
    },
};

/**
 * Show a sentence, for a while or, with `seconds: 0`, until it is dismissed. It takes the place of an equal one, but never
 * of one that offers something: each of those offers something else.
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

/** Another page is gone to: what was said about the one before goes with it. */
export function leavePage(): void {
    list = list.filter((notice) => notice.stays);
}
