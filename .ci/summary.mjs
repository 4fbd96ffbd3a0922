/** Adds up reports of vitest (JSON): lists what was skipped, ends with the numbers, and exits non-zero when anything failed. */
import { readFileSync } from "node:fs";

const counts = { passed: 0, failed: 0 };
const skipped = [];
for (const file of process.argv.slice(2)) {
  let suites;
  try {
    suites = JSON.parse(readFileSync(file, "utf8")).testResults;
  } catch {
    // No report: the run itself failed.
    counts.failed++;
    continue;
  }
  for (const { name, status, assertionResults } of suites) {
    const has = (outcome) => assertionResults.filter((one) => one.status === outcome).length;
    counts.passed += has("passed");
    // A test file that does not load has no tests of its own to fail.
    counts.failed += Math.max(has("failed"), status === "failed" ? 1 : 0);
    for (const one of assertionResults) {
      if (one.status !== "passed" && one.status !== "failed")
        skipped.push(`${name.replace(`${process.cwd()}/`, "")}: ${one.fullName.trim()}`);
    }
  }
}
if (skipped.length > 0) process.stdout.write(`\nskipped:\n${skipped.map((one) => `  ${one}\n`).join("")}`);
process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed, ${skipped.length} skipped\n`);
process.exitCode = counts.failed > 0 ? 1 : 0;
