import type { PlacementProblem } from "../../../../models/table-placement/problem.js";
import { DoubleSum } from "../../../exact/double-sum.js";
import { nearest } from "../../../plan-file/rounding.js";
import type { ExplainedDevice, ExplainedTable, IrreducibleParts, LeastOfTable } from "../plan-file/explanation.js";
import type { PlacementPlanTable, TablePlacementPlan } from "../plan-file/plan-file.js";

/** What every device holds, and which are the costliest. */
export function explainedDevices(
  problem: PlacementProblem,
  { deviceCosts, deviceBytes, memory }: Pick<TablePlacementPlan, "deviceCosts" | "deviceBytes" | "memory">,
  tables: readonly PlacementPlanTable[],
): ExplainedDevice[] {
  const costs = deviceCosts ?? [];
  const largest = costs.reduce((most, cost) => Math.max(most, cost), 0);
  const held = costs.map(() => new Map<string, { cost: DoubleSum; hbmBytes: number }>());
  tables.forEach(({ name, option, ranks }, t) => {
    ranks.forEach((device, k) => {
      const need = problem.tables[t]?.options[option]?.shards[k];
      const own = held[device];
      if (need === undefined || own === undefined) return;
      const part = own.get(name) ?? { cost: new DoubleSum(), hbmBytes: 0 };
      part.cost.add(need.cost);
      own.set(name, { cost: part.cost, hbmBytes: part.hbmBytes + need.hbmBytes });
    });
  });
  return costs.map((cost, device) => ({
    device,
    cost,
    hbmBytes: deviceBytes?.[device] ?? 0,
    hbmLimit: memory.hbmBytesPerGpu?.[device] ?? null,
    isLargest: cost === largest,
    tables: [...(held[device] ?? [])]
      .map(([name, part]) => ({
        name,
        cost: problem.setCost === undefined ? nearest(part.cost.total()) : null,
        hbmBytes: part.hbmBytes,
      }))
      .sort((a, b) => (b.cost ?? 0) - (a.cost ?? 0) || b.hbmBytes - a.hbmBytes),
  }));
}

/** What no option of a table avoids. */
export function leastOfTable({ tables, setCost }: PlacementProblem, table: number): LeastOfTable {
  const options = tables[table]?.options ?? [];
  const least = (read: (shards: (typeof options)[number]["shards"]) => number) =>
    options.reduce((best, { shards }) => Math.min(best, read(shards)), Number.POSITIVE_INFINITY);
  const isAdditive = setCost === undefined;
  return {
    shardCost: isAdditive ? least((shards) => shards.reduce((most, { cost }) => Math.max(most, cost), 0)) : null,
    shardBytes: least((shards) => shards.reduce((most, { hbmBytes }) => Math.max(most, hbmBytes), 0)),
    cost: isAdditive ? least((shards) => totalCost(shards)) : null,
    hbmBytes: least((shards) => shards.reduce((sum, { hbmBytes }) => sum + hbmBytes, 0)),
  };
}

function totalCost(shards: readonly { readonly cost: number }[]): number {
  const sum = new DoubleSum();
  for (const { cost } of shards) sum.add(cost);
  return sum.total().toNumberDown();
}

/** The parts of cost and memory that no choice of options avoids: the largest shard, and what all tables come to on average. */
export function irreducibleParts(
  tables: readonly Pick<ExplainedTable, "name" | "least">[],
  devices: readonly ExplainedDevice[],
  value: number,
): IrreducibleParts {
  const memory = devices.reduce((most, { hbmLimit }) => Math.max(most, hbmLimit ?? 0), 0);
  const shareOf = (part: number, of: number) => (of === 0 ? null : part / of);
  const largest = (read: (least: LeastOfTable) => number) =>
    tables.reduce(
      (best, one) => (read(one.least) > read(best.least) ? one : best),
      tables[0] as (typeof tables)[number],
    );
  const dearest = largest(({ shardCost }) => shardCost ?? -1);
  const fullest = largest(({ shardBytes }) => shardBytes);
  const { shardCost } = dearest.least;
  const { shardBytes } = fullest.least;
  const costs = tables.map(({ least }) => least.cost);
  const isAdditive = costs.every((cost) => cost !== null);
  const mean = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0) / devices.length;
  const [meanCost, meanBytes] = [mean(costs.map((cost) => cost ?? 0)), mean(tables.map(({ least }) => least.hbmBytes))];
  return {
    shardCost: shardCost === null ? null : { table: dearest.name, cost: shardCost, share: shareOf(shardCost, value) },
    shardBytes:
      shardBytes === 0 ? null : { table: fullest.name, bytes: shardBytes, share: shareOf(shardBytes, memory) },
    meanCost: isAdditive ? { cost: meanCost, share: shareOf(meanCost, value) } : null,
    meanBytes: { bytes: meanBytes, share: shareOf(meanBytes, memory) },
  };
}
