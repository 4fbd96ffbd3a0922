import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { parseWith } from "../src/instance/parse.js";
import type { GroupedPlacementPlan } from "../src/problems/grouped-placement/plan-file/assemble.js";
import { planInstance } from "../src/problems/planning/plan.js";
import { tablePlacementReader } from "../src/problems/table-placement/instance/reader.js";
import { bytes, count, milliseconds, relativeGap, significant } from "../src/text/units.js";
import { Arguments } from "./arguments.js";

/**
 * The best size of groups with its bound, by number of GPUs and how often copies are synchronised: the tables of
 * docs/table-placement.md.
 *
 *   npm run bench -- groups FILE devices=8,64 layout=strided sync=10,1000 work=20
 *
 * `work`: seconds of work for one cluster, as `--work-limit` counts them; the time limit is ten times that.
 */
const given = new Arguments(process.argv.slice(3), ["devices", "layout", "sync", "work"]);
const [file = "instances/public/mlperf-dlrm-dcnv2.yaml"] = given.words;
const numbers = (key: string, byDefault: string) => (given.text(key) ?? byDefault).split(",").map(Number);
const layouts = (given.text("layout") ?? "strided").split(",");
const work = given.number("work", 20);

const whole = parse(readFileSync(file, "utf8"), { maxAliasCount: -1 }) as {
  readonly cluster: { readonly gpusPerNode: number };
};

console.log(
  "| GPUs | layout | synchronised every | best size | groups | largest cost | bound | gap | synchronisation | fullest GPU | sizes open | CPU s |",
);
console.log("| --: | :-- | --: | --: | --: | --: | --: | --: | --: | --: | :-- | --: |");
for (const devices of numbers("devices", "8,16,32,64,128,256,512,1024,2048,4096")) {
  for (const layout of layouts) {
    for (const syncEvery of numbers("sync", "10,1000")) await row(devices, layout, syncEvery);
  }
}

async function row(devices: number, layout: string, syncEvery: number): Promise<void> {
  const { gpusPerNode } = whole.cluster;
  const cluster = { ...whole.cluster, nodes: devices / gpusPerNode };
  const text = JSON.stringify({ ...whole, cluster, groups: { sizes: "all", layout, syncEvery } });
  const instance = parseWith([tablePlacementReader], text, file);
  const before = process.cpuUsage();
  const limits = { workLimitSeconds: work, timeLimitSeconds: 10 * work };
  const plan = (await planInstance(instance, limits)) as unknown as GroupedPlacementPlan;
  const { user, system } = process.cpuUsage(before);
  const { chosen, sizes } = plan.groups;
  const best = sizes.find(({ size }) => size === chosen);
  const { value, bound, gap } = plan.objective;
  // Within the gap of the best plan nothing is left to find.
  const isOpen = (one: number | null) => one === null || value === null || value - one > plan.request.gap * value;
  const open = sizes.filter((one) => one.status !== "infeasible" && isOpen(one.bound));
  const cells = [
    count(devices),
    layout,
    count(syncEvery),
    best === undefined ? "·" : count(best.size),
    best === undefined ? "·" : count(best.copies),
    value === null ? "·" : milliseconds(value / 1000),
    bound === null ? "·" : milliseconds(bound / 1000),
    gap === null ? "·" : relativeGap(gap),
    best?.syncMilliseconds == null ? "·" : `${significant(best.syncMilliseconds, 3)} ms`,
    best?.largestBytes == null ? "·" : bytes(best.largestBytes),
    open.map(({ size }) => size).join(", ") || "none",
    significant((user + system) / 1e6, 3),
  ];
  console.log(`| ${cells.join(" | ")} |`);
}
