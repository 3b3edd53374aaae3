import "@testing-library/jest-dom/vitest";

import { beforeAll } from "vitest";

import sheet from "@cairn/board/art.svg?raw";
import { setLanguage } from "../lib/i18n";

// Tests read the English messages, whatever the machine speaks.
beforeAll(() => setLanguage("en"));

// The sheet of drawings stands in the page.
beforeAll(() => document.head.insertAdjacentHTML("beforeend", sheet));
