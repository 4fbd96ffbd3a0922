import { type Key, keysOf } from "../../src/instance/keys.js";

/** The keys of a JSON Schema as a table of Markdown. */
export function keysTable(schema: object, head: string): string {
  return [`| ${head} | value | default | meaning |`, "|---|---|---|---|", ...keysOf(schema).map(line)].join("\n");
}

function line({ path, type, isRequired, byDefault, description }: Key): string {
  const asked = isRequired ? "required" : "";
  return `| \`${path}\` | ${cell(type)} | ${byDefault === undefined ? asked : `\`${byDefault}\``} | ${cell(description)} |`;
}

/** What Markdown would take for its own. */
function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll("*", "\\*");
}
