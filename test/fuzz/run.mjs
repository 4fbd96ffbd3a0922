// npm run fuzz -- [--count N] [--seed S] [--seconds T]: random programs against independent witnesses, N in all.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "2600" },
    seed: { type: "string", default: "0" },
    seconds: { type: "string", default: "5" },
  },
});
const folder = mkdtempSync(join(tmpdir(), "fuzz-"));
const report = join(folder, "report.jsonl");
const { status } = spawnSync("npx", ["vitest", "run", "test/fuzz/fuzz.test.ts"], {
  stdio: "inherit",
  env: {
    ...process.env,
    FUZZ_COUNT: values.count,
    FUZZ_SEED: values.seed,
    FUZZ_SECONDS: values.seconds,
    FUZZ_REPORT: report,
  },
});
const total = { proved: 0, infeasible: 0, unfinished: 0, wrong: 0, unconfirmed: 0 };
const line = (name, counts) =>
  process.stdout.write(
    `${name}: ${Object.entries(counts)
      .map(([kind, count]) => `${count} ${kind}`)
      .join(", ")}\n`,
  );
for (const text of readFileSync(report, "utf8").trim().split("\n")) {
  const { name, ...counts } = JSON.parse(text);
  for (const kind of Object.keys(total)) total[kind] += counts[kind];
  line(name, counts);
}
line("all", total);
rmSync(folder, { recursive: true });
process.exitCode = status ?? 1;
