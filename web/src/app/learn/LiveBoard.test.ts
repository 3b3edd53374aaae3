import { render, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";

import type { Line } from "../../lib/client";
import { setLanguage } from "../../lib/i18n";
import { settings } from "../../lib/settings.svelte";
import LiveBoard from "./LiveBoard.svelte";
import recorded from "../../test/recorded/lines.json";

/** Lines of play as sent by the server, but without the final choices, which a board for playback does not need. */
const lines = recorded as unknown as Record<"setup" | "leaving-step" | "megalith-FC", Line>;

function button(name: string): HTMLElement {
    return screen.getByRole("button", { name });
}

describe("a live board", () => {
    beforeAll(() => setLanguage("en"));
    beforeEach(() => {
        settings.speed = "off";
    });

    it("starts before the first step and does not move by itself", () => {
        render(LiveBoard, { line: lines["megalith-FC"], title: "Fairies Circle" });
        expect(screen.getByRole("group", { name: "Example: Fairies Circle" })).toBeVisible();
        expect(screen.getByText("Forest to play.")).toBeVisible();
        expect(screen.getByRole("img").getAttribute("aria-label")).toMatch(/^Forest stands on .*b2/);
        expect(button("Previous step")).toHaveAttribute("aria-disabled", "true");
    });

    it("steps forward and back, with a sentence and a picture for each step", async () => {
        const user = userEvent.setup();
        const line = lines["megalith-FC"];
        render(LiveBoard, { line, title: "Fairies Circle" });
        await user.click(button("Next step"));
        expect(screen.getByText("Forest moves from b2 to b3.")).toBeVisible();
        await waitFor(() =>
            expect(screen.getByRole("img").getAttribute("aria-label")).toMatch(/Forest stands on .*b3/),
        );
        for (let step = 1; step < line.steps.length; step++) await user.click(button("Next step"));
        expect(button("Next step")).toHaveAttribute("aria-disabled", "true");
        await waitFor(() =>
            expect(screen.getByRole("img").getAttribute("aria-label")).toMatch(/Score: Forest 1, Sea 0/),
        );
        await user.click(button("Next step"));
        expect(screen.getByText(`Step ${line.steps.length} of ${line.steps.length}`)).toBeInTheDocument();
        for (let step = 0; step < line.steps.length; step++) await user.click(button("Previous step"));
        await waitFor(() =>
            expect(screen.getByRole("img").getAttribute("aria-label")).toMatch(/Forest stands on .*b2/),
        );
        expect(screen.getByText("Forest to play.")).toBeVisible();
    });

    it("ends up at the step of the last click, even if a step was still playing", async () => {
        settings.speed = "slow";
        const user = userEvent.setup();
        const line = lines["leaving-step"];
        render(LiveBoard, { line, title: "By a step" });
        const start = screen.getByRole("img").getAttribute("aria-label");
        await user.click(button("Next step"));
        await user.click(button("Next step"));
        await user.click(button("Previous step"));
        await user.click(button("Previous step"));
        await waitFor(() => expect(screen.getByRole("img")).toHaveAttribute("aria-label", start));
        expect(screen.getByText(`Step 0 of ${line.steps.length}`)).toBeInTheDocument();
    });

    it("responds to the arrow keys", async () => {
        const user = userEvent.setup();
        render(LiveBoard, { line: lines["leaving-step"], title: "By a step" });
        button("Next step").focus();
        await user.keyboard("{ArrowRight}{ArrowRight}{ArrowLeft}");
        expect(screen.getByText("Step 1 of 3")).toBeInTheDocument();
        await user.keyboard("{ArrowLeft}{ArrowLeft}{ArrowLeft}");
        expect(screen.getByText("Step 0 of 3")).toBeInTheDocument();
    });

    it("can be played and paused", async () => {
        const user = userEvent.setup();
        render(LiveBoard, { line: lines["leaving-step"], title: "By a step" });
        await user.click(button("Watch"));
        await user.click(button("Pause"));
        expect(button("Watch")).toBeVisible();
    });

    it("has no controls if the line has no steps", () => {
        render(LiveBoard, { line: lines.setup, title: "At the start" });
        for (const name of ["Next step", "Previous step", "Watch"])
            expect(screen.queryByRole("button", { name })).toBeNull();
    });
});
