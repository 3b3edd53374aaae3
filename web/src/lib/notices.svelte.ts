/** Short sentences at the edge of the page, such as "Game deleted", with a way to undo it. */
export interface Notice {
    id: number;
    kind: "info" | "error";
    text: string;
    action?: { label: string; run: () => void };
}

let list = $state<Notice[]>([]);
let next = 1;

export const notices = {
    get list(): readonly Notice[] {
        return list;
    },
};

/** Show a sentence, for a while or, with `seconds: 0`, until it is dismissed. */
export function notify(notice: Omit<Notice, "id">, seconds = notice.kind === "error" ? 0 : 8): number {
    const id = next++;
    list = [...list.filter((other) => other.text !== notice.text), { ...notice, id }].slice(-3);
    if (seconds > 0) setTimeout(() => dismiss(id), seconds * 1000);
    return id;
}

export function dismiss(id: number): void {
    list = list.filter((notice) => notice.id !== id);
}
