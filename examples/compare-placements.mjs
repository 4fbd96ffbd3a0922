// How far are the published rules from the best placement? Draws tables at random, places them on eight devices by every method
// and prints each one's distance from the proved bound.
//
//   node examples/compare-placements.mjs
import { compareTablePlacement, parseInstance, seededRandom } from "shardproof";

const random = seededRandom(7);
const tables = Array.from({ length: 40 }, (_, t) => ({
  name: `t${t}`,
  rows: 10 ** (3 + random.integer(4)),
  dim: 4 * 2 ** random.integer(5),
  dataType: "fp16",
  poolingFactor: 1 + random.integer(60),
}));
const text = JSON.stringify({
  shardproof: 1,
  name: "random tables",
  problem: "table-placement",
  costModel: "lookup",
  cluster: { nodes: 1, gpusPerNode: 8, hbmBytesPerGpu: 6e8 },
  tables,
});

for (const { method, status, value, gap } of await compareTablePlacement(parseInstance(text, "random.json"))) {
  const distance = gap === null ? "·" : `${(gap * 100).toFixed(1)} %`;
  console.log(`${method.padEnd(24)} ${String(value ?? "·").padStart(8)} ${distance.padStart(8)}  ${status}`);
}
