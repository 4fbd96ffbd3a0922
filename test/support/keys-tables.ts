import { type Key, keysOf } from "../../src/instance/keys.js";
import type { Coverage, CoverageTable } from "../../src/plan-file/fields.js";

/** The keys of a JSON Schema as a table of Markdown. */
export function keysTable(schema: object, head: string): string {
  return [`| ${head} | value | default | meaning |`, "|---|---|---|---|", ...keysOf(schema).map(line)].join("\n");
}

/** Those keys of a plan file that are `shown`, as a table of Markdown, and what `verify` makes of each. */
export function planTable(schema: object, coverage: CoverageTable, shown: (key: Key) => boolean): string {
  const lines = keysOf(schema)
    .filter(shown)
    .map(({ path, type, description }) => {
      return `| \`${path}\` | ${cell(type)} | ${cell(checkOf(coverage, path))} | ${cell(description)} |`;
    });
  return ["| key | value | `verify` | meaning |", "|---|---|---|---|", ...lines].join("\n");
}

/** Of a map or a list its fields say it. */
function checkOf(coverage: CoverageTable, path: string): string {
  const own = Object.entries(coverage).find(([field]) => field.replace(/(\[\])+$/, "") === path)?.[1];
  return own === undefined ? "" : typeof own === "string" ? CHECKS[own] : `not checked: ${own.reason}`;
}

const CHECKS: Readonly<Record<Exclude<Coverage, object>, string>> = {
  computed: "computed again",
  later: "computed again where the file has it",
  chosen: "a decision or a proof: checked to be one",
  told: "told file by file",
};

function line({ path, type, isRequired, byDefault, description }: Key): string {
  const asked = isRequired ? "required" : "";
  return `| \`${path}\` | ${cell(type)} | ${byDefault === undefined ? asked : `\`${byDefault}\``} | ${cell(description)} |`;
}

/** What Markdown would take for its own. */
function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll("*", "\\*");
}
