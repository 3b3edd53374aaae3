import { expect, test } from "vitest";

import { Looking } from "./looking.svelte";

let now = 0;
const clock = () => now;

function down(pointerType: string): PointerEvent {
    const event = new Event("pointerdown") as PointerEvent;
    Object.defineProperty(event, "pointerType", { value: pointerType });
    return event;
}

test("a mouse explains while it is there", () => {
    const looking = new Looking(clock);
    looking.at("c3");
    expect(looking.subject).toBe("c3");
    expect(looking.pinned).toBe(false);
    looking.at(null);
    expect(looking.subject).toBeNull();
});

test("the focus that a tap brings asks for nothing; a long press does, and stays", () => {
    const looking = new Looking(clock);
    now = 1000;
    looking.down(down("touch"));
    now = 1080;
    looking.at("c3");
    expect(looking.subject).toBeNull();
    now = 2000;
    looking.down(down("touch"));
    now = 2450;
    looking.at("d3");
    expect(looking.subject).toBe("d3");
    looking.at(null);
    expect(looking.subject).toBe("d3");
    now = 4000;
    looking.down(down("touch"));
    expect(looking.subject).toBeNull();
});

test("the keyboard's focus explains after a touch as well", () => {
    const looking = new Looking(clock);
    now = 1000;
    looking.down(down("touch"));
    looking.key();
    now = 1100;
    looking.at("c3");
    expect(looking.subject).toBe("c3");
    expect(looking.pinned).toBe(false);
});

test("what a tap opened stays until it is put away", () => {
    const looking = new Looking(clock);
    looking.pin("deck");
    looking.at(null);
    expect(looking.subject).toBe("deck");
    looking.away();
    expect(looking.subject).toBeNull();
});
