import "@testing-library/jest-dom/vitest";

import { beforeAll, beforeEach, vi } from "vitest";

import sheet from "@cairn/board/art.svg?raw";
import { setLanguage } from "../lib/i18n";
import { Observer } from "./screen";

// Tests expect English messages, regardless of the system's language.
beforeAll(() => setLanguage("en"));

// jsdom has no layout, so it has no IntersectionObserver.
beforeEach(() => vi.stubGlobal("IntersectionObserver", Observer));

// The pages expect the drawing sheet in the document.
beforeAll(() => document.head.insertAdjacentHTML("beforeend", sheet));
