import { expect, test } from "vitest";

import { sectionInAddress } from "./sections";

test("decodes the section in a URL, and returns a malformed section unchanged", () => {
    const place = (hash: string): string => sectionInAddress(new URL(`http://cairn.test/learn${hash}`));
    expect(place("#DR")).toBe("DR");
    expect(place("#%D1%85")).toBe("х");
    expect(place("#%")).toBe("%");
    expect(place("")).toBe("");
});
