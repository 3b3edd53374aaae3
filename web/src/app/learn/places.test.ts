import { expect, test } from "vitest";

import { placeInAddress } from "./places";

test("the place in an address is read, also where it is no code for anything", () => {
    const place = (hash: string): string => placeInAddress(new URL(`http://cairn.test/learn${hash}`));
    expect(place("#DR")).toBe("DR");
    expect(place("#%D1%85")).toBe("х");
    expect(place("#%")).toBe("%");
    expect(place("")).toBe("");
});
