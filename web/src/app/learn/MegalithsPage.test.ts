import { render, screen, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

import { setLanguage } from "../../lib/i18n";
import { navigate } from "../../lib/router.svelte";
import MegalithsPage from "./MegalithsPage.svelte";

beforeAll(() => setLanguage("en"));
beforeEach(() => {
    navigate("/learn/megaliths");
    Element.prototype.scrollIntoView = vi.fn();
    window.scrollBy = vi.fn();
});

function names(): string[] {
    return screen.getAllByRole("article").map((card) => card.getAttribute("aria-labelledby")?.slice(0, 2) ?? "");
}

describe("the megalith gallery", () => {
    it("shows all 17 megaliths in three sets", async () => {
        render(MegalithsPage);
        expect(await screen.findAllByRole("article")).toHaveLength(17);
        const sets = screen.getAllByRole("heading", { level: 2 }).map((heading) => heading.textContent);
        expect(sets).toEqual(["Beginner", "Standard", "Expert"]);
    });

    it("finds megaliths by name, power or code, ignoring accents and case", async () => {
        const user = userEvent.setup();
        render(MegalithsPage);
        await screen.findAllByRole("article");
        const search = screen.getByRole("searchbox");
        await user.type(search, "DEER");
        expect(names()).toEqual(["DR"]);
        expect(screen.getByRole("status")).toHaveTextContent("1 megalith found.");
        await user.clear(search);
        await user.type(search, "banish");
        expect(names()).toEqual(["CG", "AD", "TS"]);
        await user.clear(search);
        await user.type(search, "no such stone");
        expect(screen.queryAllByRole("article")).toEqual([]);
        expect(screen.getByRole("status")).toHaveTextContent("No megalith found.");
    });

    it("opens one card at a time, shows its rulings and example, and puts it into the URL", async () => {
        const user = userEvent.setup();
        render(MegalithsPage);
        const [first] = await screen.findAllByRole("article");
        await user.click(within(first as HTMLElement).getByRole("button"));
        expect(window.location.hash).toBe("#CG");
        expect(screen.getByText(/Starts on b3/)).toBeVisible();
        await user.click(within(screen.getByRole("article", { name: /Fairies Circle/ })).getByRole("button"));
        expect(window.location.hash).toBe("#FC");
        expect(screen.queryByText(/Starts on b3/)).toBeNull();
        expect(await screen.findByRole("group", { name: "Example: Fairies Circle" })).toBeVisible();
        await user.click(screen.getByRole("button", { name: "Close" }));
        expect(window.location.hash).toBe("");
    });

    it("opens the megalith in the URL", async () => {
        navigate("/learn/megaliths#FC");
        render(MegalithsPage);
        expect(await screen.findByRole("button", { expanded: true })).toHaveTextContent("Close");
        expect(screen.getByRole("heading", { name: /Fairies Circle/ })).toHaveFocus();
    });
});

it("a rule number leads to the rule on the rules page", async () => {
    const user = userEvent.setup();
    render(MegalithsPage);
    const card = (await screen.findAllByRole("article"))[0] as HTMLElement;
    await user.click(within(card).getByRole("button"));
    expect(within(card).getByRole("link", { name: "Rule E3" })).toHaveAttribute("href", "/learn#E3");
});
