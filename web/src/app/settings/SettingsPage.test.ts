import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, test } from "vitest";

import { setLanguage } from "../../lib/i18n";
import { defaults, readSettings, settings, startSettings } from "../../lib/settings.svelte";
import SettingsPage from "./SettingsPage.svelte";

let stop: () => void;

beforeEach(() => {
    stop = startSettings();
});
afterEach(async () => {
    Object.assign(settings, defaults());
    await setLanguage("en");
    flushSync();
    stop();
});

const kept = () => readSettings(localStorage.getItem("cairn.settings"));

test("applies every setting immediately and stores it", async () => {
    render(SettingsPage);
    await userEvent.click(screen.getByRole("radio", { name: "Dark" }));
    await userEvent.click(screen.getByRole("radio", { name: "High" }));
    await userEvent.click(screen.getByRole("radio", { name: "Slow" }));
    await userEvent.click(screen.getByRole("switch", { name: /Show coordinates/ }));
    await userEvent.click(screen.getByRole("switch", { name: /Sounds/ }));
    await userEvent.click(screen.getByRole("switch", { name: /Keyboard shortcuts/ }));
    flushSync();
    expect(document.documentElement.dataset).toMatchObject({ theme: "dark", contrast: "more" });
    expect(kept()).toMatchObject({ theme: "dark", contrast: "more", speed: "slow", coordinates: false });
    expect(kept()).toMatchObject({ sound: false, shortcuts: false });
});

test("the volume can be set while sounds are on", async () => {
    render(SettingsPage);
    const volume = screen.getByRole("slider", { name: "Volume" });
    await fireEvent.input(volume, { target: { value: "30" } });
    flushSync();
    expect(kept().volume).toBe(30);
    await userEvent.click(screen.getByRole("switch", { name: /Sounds/ }));
    expect(screen.queryByRole("slider", { name: "Volume" })).not.toBeInTheDocument();
});

test("changes the language in one tap", async () => {
    render(SettingsPage);
    await userEvent.click(screen.getByRole("radio", { name: "Русский" }));
    await waitFor(() => expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Настройки"));
    flushSync();
    expect(kept().language).toBe("ru");
});
