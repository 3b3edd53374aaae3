import "@testing-library/jest-dom/vitest";

import { beforeAll, beforeEach, vi } from "vitest";

import sheet from "@cairn/board/art.svg?raw";
import { setLanguage } from "../lib/i18n";
import { Observer } from "./screen";

// Tests read the English messages, whatever the machine speaks.
beforeAll(() => setLanguage("en"));

// jsdom has no layout, so it has no IntersectionObserver.
beforeEach(() => vi.stubGlobal("IntersectionObserver", Observer));

// The sheet of drawings stands in the page.
beforeAll(() => document.head.insertAdjacentHTML("beforeend", sheet));
