import { paint } from "../../terminal/table.js";
import { byReason } from "../../text/by-reason.js";
import { printable } from "../../text/printable.js";
import type { Verification } from "./verification.js";

/** Differences listed before the rest is only counted. */
const MAX_LISTED = 20;

/** What was checked, one line each, the differences, what no check covers, and a last line that says how it ended. */
export function showVerification({ passed, checks, differences, notChecked }: Verification): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.map(({ name, passed: ok, detail }) => {
    const mark = ok ? paint.green("ok    ") : paint.red("FAILED");
    return `  ${mark}  ${name.padEnd(width)}  ${printable(detail)}`;
  });
  for (const { path, expected, found } of differences.slice(0, MAX_LISTED)) {
    lines.push(`  ${paint.red("differs")} ${path}: expected ${said(expected)}, found ${said(found)}`);
  }
  if (differences.length > MAX_LISTED) lines.push(`  … and ${differences.length - MAX_LISTED} more differences`);
  for (const [reason, paths] of byReason(notChecked)) {
    lines.push(`  ${paint.yellow("not checked")} ${paths.join(", ")}: ${printable(reason)}`);
  }
  lines.push("", passed ? paint.green("verified") : paint.red("verification failed"));
  return `${lines.join("\n")}\n`;
}

function said(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length <= 80 ? text : `${text.slice(0, 77)}…`;
}
