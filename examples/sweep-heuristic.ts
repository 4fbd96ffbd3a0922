// How far is a rule of one's own from the best placement? Draws tables at random for several numbers of devices, places the
// largest first, each on the emptiest device, and measures that against the proved bound, beside a published rule.
import { evaluate, plan, tablePlacement } from "shardproof";

const DEVICES = [2, 4, 8];

/** The rule: the table with most bytes first, on the device with fewest. */
function emptiestDevice(bytes: readonly number[], devices: number): number[] {
  const filled = new Array<number>(devices).fill(0);
  const places = new Array<number>(bytes.length).fill(0);
  const falling = [...bytes.entries()].sort((a, b) => b[1] - a[1]);
  for (const [table, size] of falling) {
    const device = filled.indexOf(Math.min(...filled));
    places[table] = device;
    filled[device] = (filled[device] ?? 0) + size;
  }
  return places;
}

// A plain generator, so that the sweep is the same everywhere.
let state = 7;
const below = (limit: number) => {
  state = (state * 48271) % 2147483647;
  return state % limit;
};

for (const devices of DEVICES) {
  const tables = Array.from({ length: 5 * devices }, (_, t) => {
    const bytes = 1_000_000 * (1 + below(64));
    return { name: `t${t}`, bytes, cost: 1 + below(40) + bytes / 4e6 };
  });
  const instance = tablePlacement({
    name: `${devices} devices`,
    costModel: "given",
    cluster: { nodes: 1, gpusPerNode: devices, hbmBytesPerGpu: 4e8 },
    tables,
  });

  const places = emptiestDevice(
    tables.map(({ bytes }) => bytes),
    devices,
  );
  const own = await evaluate(instance, { choices: places.map((device) => ({ option: 0, devices: [device] })) });
  if (own.violations.length > 0) throw new Error(own.violations.join("; "));

  const published = await plan(instance, { method: "size-greedy" });
  const best = await plan(instance, { timeLimitSeconds: 10 });
  if (best.status !== "proved" && best.status !== "feasible") throw new Error(`no bound: ${best.status}`);
  // Proved: no placement costs less than `bound`.
  const { bound } = best.objective;
  const above = (value: number | null) => (value === null ? "·" : `${((100 * (value - bound)) / bound).toFixed(1)} %`);
  console.log(
    `${devices} devices: own rule ${above(own.value)}, size-greedy ${above(published.objective.value)}, ${best.status}`,
  );
}
