/**
 * Formats messages as the web app does: one JSON object per line in, one JSON string per line out. test_messages.py
 * compares the results with those of the command line.
 */
import { createInterface } from "node:readline";

import { compile } from "../../web/src/lib/i18n/format.ts";

interface Request {
    message: string;
    language: string;
    values: Record<string, unknown>;
}

for await (const line of createInterface({ input: process.stdin })) {
    const { message, language, values } = JSON.parse(line) as Request;
    console.log(JSON.stringify(compile(message, language)(values)));
}
