import { flushSync } from "svelte";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { defaults, readSettings, settings, startSettings } from "./settings.svelte";

describe("readSettings", () => {
    test("returns the defaults if the text is missing or unreadable", () => {
        for (const text of [null, "", "null", "7", "[]", "{", '"dark"']) expect(readSettings(text)).toEqual(defaults());
    });

    test("replaces invalid values with their defaults and keeps the rest", () => {
        const text = JSON.stringify({
            theme: "purple",
            speed: "slow",
            sound: "yes",
            volume: 101,
            coordinates: false,
            language: "xx",
            newGame: { level: 11, tribe: "sea", variant: "expert", names: { forest: "Anna", sea: 7 } },
            unknown: 1,
        });
        const fallback = defaults();
        expect(readSettings(text)).toEqual({
            ...fallback,
            speed: "slow",
            coordinates: false,
            newGame: { ...fallback.newGame, tribe: "sea", variant: "expert", names: { forest: "Anna", sea: "" } },
        });
    });
});

describe("settings", () => {
    let stop: () => void;
    const saved = () => JSON.parse(localStorage.getItem("cairn.settings") ?? "null") as unknown;

    beforeEach(() => {
        settings.language = null;
        stop = startSettings();
        flushSync();
    });
    afterEach(() => {
        stop();
        localStorage.clear();
        Object.assign(settings, { ...defaults(), language: "en" });
    });

    test("are saved only if the visitor chose them", () => {
        expect(saved()).toBeNull();
        settings.sound = false;
        flushSync();
        expect(saved()).toEqual({ sound: false });
        settings.sound = true;
        flushSync();
        expect(saved()).toEqual({ sound: true });
    });

    test("are saved when they change, and affect the document immediately", () => {
        settings.theme = "dark";
        settings.contrast = "more";
        settings.newGame.level = 7;
        flushSync();
        expect(document.documentElement.dataset).toMatchObject({ theme: "dark", contrast: "more" });
        expect(readSettings(localStorage.getItem("cairn.settings"))).toMatchObject({
            theme: "dark",
            contrast: "more",
            newGame: { level: 7 },
        });
    });

    test("follow a change in another tab", () => {
        const newValue = JSON.stringify({ ...settings, theme: "dark" });
        window.dispatchEvent(new StorageEvent("storage", { key: "cairn.settings", newValue }));
        flushSync();
        expect(settings.theme).toBe("dark");
        expect(document.documentElement.dataset.theme).toBe("dark");
    });
});
