import { megalithName } from "../../lib/megaliths";

/** Fill in the names of megaliths: `{DR}` becomes "Deer Rock". */
export function filled(text: string): string {
    return text.replace(/\{(\w\w)\}/g, (_, code: string) => megalithName(code));
}
