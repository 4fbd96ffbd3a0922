import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../cli/run-cli.js";

const hasNumpy = spawnSync("python3", ["-c", "import numpy"]).status === 0;

const LOOK_UP = `
import sys
import numpy
from shardproof_torchrec.hot_rows import combine, load

table = load(sys.argv[1], "t0")
random = numpy.random.default_rng(0)
weight = random.integers(-99, 100, (table.rows, 3)).astype(float)
hot, cold = table.rows_of(weight)
ids = random.integers(0, table.rows, 20000)
ids[::3] %= 60
lengths = numpy.full(5000, 4)
split = table.split(ids, lengths)

def pooled(rows, values, lengths):
    out = numpy.zeros((len(lengths), 3))
    numpy.add.at(out, numpy.repeat(numpy.arange(len(lengths)), lengths), rows[values])
    return out

found = combine(pooled(hot, *split.hot[:2]), pooled(cold, *split.cold[:2]), split)
print((found == pooled(weight, ids, lengths)).all(), table.hot_rows, int(split.hot.lengths.sum()) > 5000)
`;

test.skipIf(!hasNumpy)("an exported remap looks up what the whole table has (skipped without NumPy)", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hot-rows-"));
  const plan = join(folder, "plan.json");
  expect((await runCli(["plan", "instances/tiny/placement-hot-rows.yaml", "--out", plan])).status).toBe(0);
  for (const more of [[], ["--spread"]]) {
    const out = join(folder, `remap${more.length}`);
    const { status, stdout } = await runCli([
      "export",
      plan,
      "--to",
      "remap",
      "--ids-are-ranks",
      "--out",
      out,
      ...more,
    ]);
    expect([status, stdout.includes("t0")]).toEqual([0, true]);
    const env = { ...process.env, PYTHONPATH: "python" };
    const { stdout: said, stderr } = spawnSync("python3", ["-B", "-c", LOOK_UP, out], { encoding: "utf8", env });
    expect([stderr, said]).toEqual(["", "True 50 True\n"]);
  }
});
