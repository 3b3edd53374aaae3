import { expect, test } from "vitest";

import { Inspector } from "./inspector.svelte";

let now = 0;
const clock = () => now;

function down(pointerType: string): PointerEvent {
    const event = new Event("pointerdown") as PointerEvent;
    Object.defineProperty(event, "pointerType", { value: pointerType });
    return event;
}

test("explains a subject while the mouse hovers over it", () => {
    const inspector = new Inspector(clock);
    inspector.inspect("c3");
    expect(inspector.subject).toBe("c3");
    expect(inspector.pinned).toBe(false);
    inspector.inspect(null);
    expect(inspector.subject).toBeNull();
});

test("does not explain what the page itself moves the focus to", () => {
    const inspector = new Inspector(clock);
    inspector.quietly(() => inspector.inspect("c3"));
    expect(inspector.subject).toBeNull();
    inspector.inspect("d3");
    expect(inspector.subject).toBe("d3");
});

test("ignores focus from a tap, and pins the explanation on a long press", () => {
    const inspector = new Inspector(clock);
    now = 1000;
    inspector.down(down("touch"));
    now = 1080;
    inspector.inspect("c3");
    expect(inspector.subject).toBeNull();
    now = 2000;
    inspector.down(down("touch"));
    now = 2450;
    inspector.inspect("d3");
    expect(inspector.subject).toBe("d3");
    inspector.inspect(null);
    expect(inspector.subject).toBe("d3");
    now = 4000;
    inspector.down(down("touch"));
    expect(inspector.subject).toBeNull();
});

test("explains a subject on keyboard focus, even after a touch", () => {
    const inspector = new Inspector(clock);
    now = 1000;
    inspector.down(down("touch"));
    inspector.key();
    now = 1100;
    inspector.inspect("c3");
    expect(inspector.subject).toBe("c3");
    expect(inspector.pinned).toBe(false);
});

test("keeps a pinned explanation until it is closed", () => {
    const inspector = new Inspector(clock);
    inspector.pin("deck");
    inspector.inspect(null);
    expect(inspector.subject).toBe("deck");
    inspector.close();
    expect(inspector.subject).toBeNull();
});

test("the deck's card stays open when the mouse leaves the deck, until something else is inspected or pressed", () => {
    const inspector = new Inspector(clock);
    inspector.inspect("deck");
    inspector.inspect(null);
    expect(inspector.subject).toBe("deck");
    inspector.inspect("c3");
    inspector.inspect(null);
    expect(inspector.subject).toBeNull();
    inspector.inspect("deck");
    inspector.inspect(null);
    inspector.down(down("mouse"));
    expect(inspector.subject).toBeNull();
    inspector.inspect("deck");
    inspector.key();
    expect(inspector.subject).toBeNull();
});
