/** Simulates scrolling in tests. jsdom has no layout: everything is on screen until `scrollAway` is called. */
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

/** Move all observed elements off the screen. */
export function scrollAway(): void {
    observers.forEach((observer) => observer.tell(false));
}

/** Move all observed elements back onto the screen. */
export function scrollBack(): void {
    observers.forEach((observer) => observer.tell(true));
}
