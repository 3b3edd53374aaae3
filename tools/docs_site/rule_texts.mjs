// Prints the text of the rules in all languages as JSON, with the order of their sections. The web app has the same
// modules. Node runs TypeScript by removing the types.
const folder = new URL("../../web/src/app/learn/", import.meta.url);
const { SECTIONS, RULINGS, ruleShown } = await import(new URL("contents.ts", folder));
const sections = SECTIONS.map((section) => ({
    ...section,
    rules: section.rules.map((_, index) => ruleShown(section, index) ?? ""),
}));
const languages = {};
for (const language of ["en", "fr", "de", "ru"]) {
    languages[language] = (await import(new URL(`text/${language}.ts`, folder))).default;
}
console.log(JSON.stringify({ sections, rulings: RULINGS, languages }));
