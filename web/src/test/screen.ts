/** What is on screen in a test. jsdom has no layout: everything is, until `scrollAway` is called. */
const observers = new Set<Observer>();

export class Observer implements Pick<IntersectionObserver, "observe" | "disconnect"> {
    readonly #report: IntersectionObserverCallback;

    constructor(report: IntersectionObserverCallback) {
        this.#report = report;
    }

    observe(): void {
        observers.add(this);
        this.tell(true);
    }

    disconnect(): void {
        observers.delete(this);
    }

    tell(isIntersecting: boolean): void {
        const entry = { isIntersecting } as IntersectionObserverEntry;
        this.#report([entry], this as unknown as IntersectionObserver);
    }
}

/** Move everything that is observed off the screen. */
export function scrollAway(): void {
    observers.forEach((observer) => observer.tell(false));
}

/** Move everything that is observed back on the screen. */
export function scrollBack(): void {
    observers.forEach((observer) => observer.tell(true));
}
