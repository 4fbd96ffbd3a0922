import { grouped } from "../../../../../models/table-placement/grouped.js";
import type { SearchSpace, SpaceOption } from "./search-space.js";

/**
 * One option per table: TorchRec's proposal. The order of the tables is part of it, for partitioners break ties by it.
 */
export type Proposal = readonly SpaceOption[];

/**
 * Proposals, one after the other. What comes of one decides nothing about the next: without their optional early stop, all
 * of TorchRec's proposers here are static.
 */
export type Proposer = (space: SearchSpace) => Iterable<Proposal>;

/** Options from the best score up, equal ones in their order; score as `_sharding_option_score` has it. */
export function byScore(options: readonly SpaceOption[], score: "largestCost" | "totalCost"): SpaceOption[] {
  return [...options].sort((a, b) => a[score] - b[score]);
}

/**
 * Starts with the best option of each table; each step moves the table whose option takes the most memory to its next best
 * option, until none with memory has a next one (planner/proposers.py, `GreedyProposer`, without the optional early stop).
 * `largestCost` is TorchRec's `use_depth=True`, `totalCost` its `use_depth=False`.
 *
 * The time of the options decides nothing about which table moves, and no step is taken back.
 */
export function greedyProposer(score: "largestCost" | "totalCost"): Proposer {
  return function* ({ tables }) {
    const sorted = tables.map((options) => byScore(options, score));
    const at = sorted.map(() => 0);
    const current = (table: number) => sorted[table]?.[at[table] as number] as SpaceOption;
    for (;;) {
      yield at.map((_, table) => current(table));
      let largest = -1;
      for (const [table, options] of sorted.entries()) {
        if ((at[table] as number) + 1 >= options.length) continue;
        const storage = largest === -1 ? NO_STORAGE : current(largest);
        if (compareStorage(current(table), storage) > 0) largest = table;
      }
      if (largest === -1) return;
      at[largest] = (at[largest] as number) + 1;
    }
  };
}

type Storage = Pick<SpaceOption, "largestHbm" | "totalHbm" | "largestHost" | "totalHost">;

const NO_STORAGE: Storage = { largestHbm: 0, totalHbm: 0, largestHost: 0, totalHost: 0 };

function compareStorage(a: Storage, b: Storage): number {
  return (
    a.largestHbm - b.largestHbm || a.totalHbm - b.totalHbm || a.largestHost - b.largestHost || a.totalHost - b.totalHost
  );
}

/**
 * For each sharding type that all tables have, in the order in which the types first come up, every table's best option of
 * that type (planner/proposers.py, `UniformProposer`).
 */
export const uniformProposer: Proposer = function* ({ tables }) {
  const types = new Set(tables.flatMap((options) => options.map(({ shardingType }) => shardingType)));
  for (const type of types) {
    const best = tables.map((options) =>
      byScore(
        options.filter(({ shardingType }) => shardingType === type),
        "largestCost",
      ).at(0),
    );
    if (best.every((option): option is SpaceOption => option !== undefined)) yield best;
  }
};

/** planner/proposers.py, `MAX_PROPOSALS`. */
const MAX_PROPOSALS = 10_000;

/**
 * Every combination of options, the last table's turning fastest, or nothing where there are more than 10,000
 * (planner/proposers.py, `GridSearchProposer`).
 */
export const gridSearchProposer: Proposer = function* ({ tables }) {
  const sorted = tables.map((options) => byScore(options, "largestCost"));
  if (sorted.reduce((product, { length }) => product * length, 1) > MAX_PROPOSALS) return;
  const digits = sorted.map(() => 0);
  for (;;) {
    yield digits.map((digit, table) => sorted[table]?.[digit] as SpaceOption);
    let table = digits.length - 1;
    while (table >= 0 && digits[table] === (sorted[table] as readonly SpaceOption[]).length - 1) digits[table--] = 0;
    if (table < 0) return;
    digits[table] = (digits[table] as number) + 1;
  }
};

/** planner/proposers.py, `DynamicProgrammingProposer`, `hbm_bins_per_device`. */
const BINS_PER_DEVICE = 100;

/**
 * First the option of each table with the least HBM; then, for each bin of total HBM from the fullest down, the options with
 * the least Σ of costs that a multiple-choice knapsack by dynamic programming found for it (planner/proposers.py,
 * `DynamicProgrammingProposer`).
 *
 * The knapsack pools the HBM of all devices into 100 bins for each. A state is the exact HBM of the selection that reached
 * its bin with the least cost; others are forgotten, so that a bin need not hold the best selection. Totals of all HBM or
 * more are left out, host memory and placement do not count.
 */
export const dynamicProgrammingProposer: Proposer = function* (space) {
  const tables = byHbm(space);
  yield tables.map(([first]) => first as SpaceOption);
  yield* knapsack(space, tables);
};

/** Tables and their options, both in the order of a stable sort of all options by total HBM. */
function byHbm({ tables }: SearchSpace): SpaceOption[][] {
  const sorted = tables.flat().sort((a, b) => a.totalHbm - b.totalHbm);
  return [...grouped(sorted, ({ table }) => table).values()];
}

/** After some tables: for each bin the state that reached it, and how. */
interface Layer {
  /** Least Σ cost; infinite for bins that nothing reached. */
  readonly cost: Float64Array;
  /** Its HBM in bins, not rounded. */
  readonly hbm: Float64Array;
  /** Index of the last table's option; -1 for none. */
  readonly option: Int32Array;
  /** The bin in the layer before. */
  readonly from: Int32Array;
}

function* knapsack({ problem, devices }: SearchSpace, tables: readonly SpaceOption[][]): Iterable<Proposal> {
  const bins = BINS_PER_DEVICE * devices;
  const binBytes = problem.hbmBytes.reduce((sum, bytes) => sum + bytes, 0) / bins;
  const layers: Layer[] = [];
  for (const options of tables) layers.push(nextLayer(layers.at(-1) ?? start(bins), options, binBytes));
  const last = layers.at(-1) as Layer;
  for (let bin = bins - 1; bin >= 0; bin--) {
    if ((last.option[bin] as number) < 0) continue;
    const proposal: SpaceOption[] = [];
    let at = bin;
    for (let index = tables.length - 1; index >= 0; index--) {
      const { option, from } = layers[index] as Layer;
      proposal[index] = tables[index]?.[option[at] as number] as SpaceOption;
      at = from[at] as number;
    }
    yield proposal;
  }
}

function nextLayer(before: Layer, options: readonly SpaceOption[], binBytes: number): Layer {
  const bins = before.cost.length;
  const layer = unreached(bins);
  for (const [index, { totalHbm, totalCost }] of options.entries()) {
    const ownHbm = totalHbm / binBytes;
    for (let bin = 0; bin < bins; bin++) {
      const costBefore = before.cost[bin] as number;
      const hbm = (before.hbm[bin] as number) + ownHbm;
      if (costBefore === Number.POSITIVE_INFINITY || !(hbm < bins)) continue;
      const cost = costBefore + totalCost;
      const target = Math.trunc(hbm);
      if (!((layer.cost[target] as number) > cost)) continue;
      layer.cost[target] = cost;
      layer.hbm[target] = hbm;
      layer.option[target] = index;
      layer.from[target] = bin;
    }
  }
  return layer;
}

/** Before any table: nothing, in bin 0. */
function start(bins: number): Layer {
  const layer = unreached(bins);
  layer.cost[0] = 0;
  layer.hbm[0] = 0;
  return layer;
}

function unreached(bins: number): Layer {
  return {
    cost: new Float64Array(bins).fill(Number.POSITIVE_INFINITY),
    hbm: new Float64Array(bins).fill(Number.POSITIVE_INFINITY),
    option: new Int32Array(bins).fill(-1),
    from: new Int32Array(bins),
  };
}
