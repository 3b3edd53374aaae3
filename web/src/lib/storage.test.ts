import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { localStore, readJson, sessionStore, writeJson } from "./storage";

beforeEach(() => {
    localStorage.clear();
    sessionStorage.clear();
});
afterEach(() => {
    vi.restoreAllMocks();
    for (const store of [localStore, sessionStore]) store.removeItem("key");
});

test("a value is written to the browser's storage and read from it", () => {
    localStore.setItem("key", "local");
    sessionStore.setItem("key", "session");
    expect([localStorage.getItem("key"), sessionStorage.getItem("key")]).toEqual(["local", "session"]);
    expect([localStore.getItem("key"), sessionStore.getItem("key")]).toEqual(["local", "session"]);
    localStore.removeItem("key");
    expect(localStorage.getItem("key")).toBeNull();
});

describe("with blocked storage, a store", () => {
    beforeEach(() => {
        const refuse = () => {
            throw new DOMException("Access is denied for this document.", "SecurityError");
        };
        vi.spyOn(window, "localStorage", "get").mockImplementation(refuse);
        vi.spyOn(window, "sessionStorage", "get").mockImplementation(refuse);
    });

    test.each([localStore, sessionStore])("keeps values in memory", (store) => {
        expect(store.getItem("key")).toBeNull();
        store.setItem("key", "value");
        expect(store.getItem("key")).toBe("value");
        store.removeItem("key");
        expect(store.getItem("key")).toBeNull();
    });
});

test("when storage is full, reading returns the new value, not the old one", () => {
    localStore.setItem("key", "old");
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
        throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
    });
    localStore.setItem("key", "new");
    expect(localStorage.getItem("key")).toBe("old");
    expect(localStore.getItem("key")).toBe("new");
    vi.restoreAllMocks();
    localStore.setItem("key", "newest");
    expect([localStorage.getItem("key"), localStore.getItem("key")]).toEqual(["newest", "newest"]);
});

test("a value that the browser has evicted reads as null", () => {
    localStore.setItem("key", "value");
    localStorage.clear();
    expect(localStore.getItem("key")).toBeNull();
});

test("JSON round-trips, and text that is not JSON reads as null", () => {
    writeJson(localStore, "key", { level: 3 });
    expect(readJson(localStore, "key")).toEqual({ level: 3 });
    localStorage.setItem("key", "{");
    expect(readJson(localStore, "key")).toBeNull();
    localStorage.clear();
    expect(readJson(localStore, "key")).toBeNull();
});
