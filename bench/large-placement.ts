/**
 * Many tables on many devices, drawn: bound, plan and gap, with CPU seconds and the largest memory. Arguments: tables x
 * nodes x GPUs : seconds (default 500x16x8:60).
 */

import { estimatedEntries } from "../models/table-placement/estimated-entries.js";
import { Rational } from "../src/exact/rational.js";
import { placeByGoals } from "../src/problems/table-placement/solve/goals/place-by-goals.js";
import { drawnPlacement } from "./drawn-instances.js";
import { printTable } from "./measure.js";

const asked = process.argv.slice(3);
const table = [["problem", "entries of the direct program", "plan", "bound", "gap", "CPU s", "of it building", "MB"]];
for (const one of asked.length === 0 ? ["500x16x8:60"] : asked) {
  const [size, seconds] = one.split(":") as [string, string];
  const [tables, nodes, gpus] = size.split("x").map(Number) as [number, number, number];
  const started = process.cpuUsage().user;
  const cpu = () => ((process.cpuUsage().user - started) / 1e6).toFixed(1);
  const problem = drawnPlacement({ tables, nodes, gpus, seed: 1 });
  const building = cpu();
  const { verdict } = await placeByGoals(problem, {
    ...{ gap: Rational.parse("1e-9"), timeLimitSeconds: Number(seconds), seed: 0 },
  });
  const gap = verdict?.gap?.toNumber();
  table.push([
    problem.name,
    estimatedEntries(problem).toLocaleString("en"),
    verdict?.value?.toNumber().toFixed(4) ?? "-",
    verdict?.bound?.toNumber().toFixed(4) ?? "-",
    gap === undefined ? "-" : `${(100 * gap).toFixed(3)} %`,
    cpu(),
    building,
    (process.resourceUsage().maxRSS / 1000).toFixed(0),
  ]);
}
printTable(table);
