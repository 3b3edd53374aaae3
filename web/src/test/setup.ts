import "@testing-library/jest-dom/vitest";

import { beforeAll } from "vitest";

import { setLanguage } from "../lib/i18n";

// Tests read the English messages, whatever the machine speaks.
beforeAll(() => setLanguage("en"));
