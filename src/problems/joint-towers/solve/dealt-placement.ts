import type {
  Placement,
  PlacementChoice,
  PlacementOption,
  PlacementProblem,
  ShardNeed,
} from "../../../../models/table-placement/problem.js";

/** From one limit on a GPU's elements to the next that is tried. */
const GROWTH = 1.1;

/**
 * A placement of a tower's tables that needs next to no time, or `null` where none is found so: for rising limits on the elements
 * of a GPU, every table in the fewest parts that keep to the limit and the memory, the largest first to the GPU with the least
 * (Graham's rule); the best of them. `problem` is one of `towerPlacementProblem`.
 */
export function dealtPlacement(problem: PlacementProblem): Placement | null {
  const devices = problem.hbmBytes.length;
  const widths = problem.tables.map(({ options }) => elementsOf(options[0] as PlacementOption));
  const most = widths.reduce((sum, width) => sum + width, 0);
  let best: Dealt | null = null;
  for (
    let limit = Math.ceil(most / devices);
    best === null || limit < best.largest;
    limit = Math.ceil(limit * GROWTH)
  ) {
    const dealt = dealtWithin(problem, limit);
    if (dealt !== null && (best === null || dealt.largest < best.largest)) best = dealt;
    if (limit >= most) break;
  }
  return best === null ? null : { choices: best.choices };
}

interface Dealt {
  readonly largest: number;
  readonly choices: readonly PlacementChoice[];
}

function dealtWithin({ tables, hbmBytes }: PlacementProblem, limit: number): Dealt | null {
  const elements = new Array<number>(hbmBytes.length).fill(0);
  const free = [...hbmBytes];
  const chosen = tables.map(({ options }) => options.findIndex((option) => isWithin(option, limit, free)));
  const ranks: number[][] = tables.map(() => []);
  const put = (table: number, shard: number, { cost, hbmBytes: bytes }: ShardNeed, device: number): boolean => {
    (ranks[table] as number[])[shard] = device;
    elements[device] = (elements[device] as number) + cost;
    free[device] = (free[device] as number) - bytes;
    return (free[device] as number) >= 0;
  };
  const parts: { readonly table: number; readonly shard: number; readonly need: ShardNeed }[] = [];
  for (const [table, { options }] of tables.entries()) {
    const option = options[chosen[table] as number];
    if (option === undefined) return null;
    for (const [shard, need] of option.shards.entries()) {
      if (option.partitionBy !== "uniform") parts.push({ table, shard, need });
      else if (!put(table, shard, need, shard)) return null;
    }
  }
  parts.sort((a, b) => b.need.cost - a.need.cost || b.need.hbmBytes - a.need.hbmBytes);
  for (const { table, shard, need } of parts) {
    let least = -1;
    for (let device = 0; device < elements.length; device++) {
      if ((free[device] as number) < need.hbmBytes) continue;
      if (least === -1 || (elements[device] as number) < (elements[least] as number)) least = device;
    }
    if (least === -1 || !put(table, shard, need, least)) return null;
  }
  const choices = ranks.map((devices, table) => ({ option: chosen[table] as number, devices }));
  return { largest: Math.max(...elements), choices };
}

/** Options begin with the fewest parts; rows over all GPUs, which make the most elements, are the last. */
function isWithin({ shards, partitionBy }: PlacementOption, limit: number, hbmBytes: readonly number[]): boolean {
  const memory = hbmBytes[0] as number;
  return shards.every((need) => (partitionBy === "uniform" || need.cost <= limit) && need.hbmBytes <= memory);
}

function elementsOf({ shards }: PlacementOption): number {
  return shards.reduce((sum, { cost }) => sum + cost, 0);
}
